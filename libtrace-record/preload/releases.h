/* Releases of what other threads wait for: what nobody waits for leaves no event. */
#ifndef EVT_RECORD_RELEASES_H_
#define EVT_RECORD_RELEASES_H_

#include <pthread.h>

/* Called before an unlock, also for one inside of another function. */
void run_release_mutex(const pthread_mutex_t* lock);

#endif /* EVT_RECORD_RELEASES_H_ */
