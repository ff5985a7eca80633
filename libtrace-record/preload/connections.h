/* Which end of a connection a socket is, so that who waits to receive finds who sends. */
#ifndef EVT_RECORD_CONNECTIONS_H_
#define EVT_RECORD_CONNECTIONS_H_

#include <stdint.h>

/* Any thread. Ends have numbers, which are the same in all processes of a run; those of the two ends differ in the
 * lowest bit. */

struct run_peer {
  const void* address; /* a struct sockaddr */
  unsigned length;
};

/* Called once. `folder`: of the run's sessions. */
void run_prepare_connections(const char* folder);
/* The end that a socket is by its addresses; 0: its peer is not known, or is a local socket. `to`: the peer of a
 * connection in progress; NULL: it is connected. */
uint64_t run_end_of(int fd, const struct run_peer* to);
/* One end of a connection that has no addresses, and the other. */
uint64_t run_new_connection(void);
uint64_t run_other_end(uint64_t end);

#endif /* EVT_RECORD_CONNECTIONS_H_ */
