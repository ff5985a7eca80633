/* The object of each descriptor: its number in the trace, its kind and its name. A descriptor that was not seen to be
 * opened (inherited, or opened in another way) is described at its first use. */
#ifndef EVT_RECORD_DESCRIPTORS_H_
#define EVT_RECORD_DESCRIPTORS_H_

#include <stdint.h>

#include "../recorded/recording.h"
#include "object_names.h"

struct run_object {
  uint64_t number; /* 0: none */
  enum run_resource resource;
};

/* Any thread; nothing of it allocates. All but the last do nothing for a thread that records nothing. */

struct run_object run_object_of(int fd);
/* `fd` was opened. `name`: NULL: as the system calls it, or a socket its peer. */
void run_opened(int fd, const char* name);
/* socketpair() made them. */
void run_opened_pair(const int fds[2]);
/* A socket has a peer from now on, or is being connected to that one; NULL: the one that it has. */
void run_connected(int fd, const struct run_peer* to);
/* Called before a descriptor is closed, because another thread may get its number at once: returns its entry, for
 * run_closed(). */
uint64_t run_take_descriptor(int fd);
void run_closed(uint64_t taken);
/* All from `first` to `last` are closed now, except this library's own. */
void run_closed_range(unsigned first, unsigned last);
/* `to` refers to the same object as `from` now, whatever it was. */
void run_copied(int from, int to);

void run_forget_descriptors(void);

#endif /* EVT_RECORD_DESCRIPTORS_H_ */
