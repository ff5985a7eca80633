#include "own_descriptors.h"

enum { kMaxOwn = 16 };
static int own[kMaxOwn]; /* 0: none */

void run_own_descriptor(int fd) {
  for (int i = 0; i < kMaxOwn; ++i) {
    int none = 0;
    if (__atomic_compare_exchange_n(&own[i], &none, fd, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  }
}

void run_disown_descriptor(int fd) {
  for (int i = 0; fd > 0 && i < kMaxOwn; ++i) {
    int known = fd;
    __atomic_compare_exchange_n(&own[i], &known, 0, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }
}

int run_owns_descriptor(int fd) { return fd > 0 && run_next_own_descriptor(fd) == fd; }

int run_next_own_descriptor(int from) {
  int next = -1;
  for (int i = 0; i < kMaxOwn; ++i) {
    const int fd = __atomic_load_n(&own[i], __ATOMIC_RELAXED);
    if (fd > 0 && fd >= from && (next < 0 || fd < next)) next = fd;
  }
  return next;
}
