/* Releases of what other threads wait for: what nobody waits for leaves no event. */
#ifndef EVT_RECORD_RELEASES_H_
#define EVT_RECORD_RELEASES_H_

#include <pthread.h>

/* Called before an unlock, also for one inside of another function. */
void run_release_mutex(const pthread_mutex_t* lock);

/* Called before the wait at one: a release by the last thread that comes. Of two that come at the same moment, neither
 * may know that it is the last. */
void run_release_barrier(const pthread_barrier_t* barrier);

#endif /* EVT_RECORD_RELEASES_H_ */
