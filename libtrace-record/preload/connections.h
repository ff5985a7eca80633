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
/* The end that a socket is; 0: its peer is not known, as for local sockets unless socketpair() made them. `to`: the
 * peer of a connection in progress; NULL: it is connected. */
uint64_t run_end_of(int fd, const struct run_peer* to);

/* socketpair() made these; children of a fork know them, too. */
void run_paired(const int fds[2]);
/* Descriptors from `first` to `last` are other objects now, or closed. */
void run_unpaired(unsigned first, unsigned last);
void run_pair_copied(int from, int to);

#endif /* EVT_RECORD_CONNECTIONS_H_ */
