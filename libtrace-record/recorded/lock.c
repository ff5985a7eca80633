#define _GNU_SOURCE
#include "lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kFree, kTaken, kAwaited };

void run_take(run_lock* lock) {
  int state = kFree;
  if (__atomic_compare_exchange_n(lock, &state, kTaken, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
  const int error = errno;
  while (__atomic_exchange_n(lock, kAwaited, __ATOMIC_ACQUIRE) != kFree) {
    syscall(SYS_futex, lock, FUTEX_WAIT_PRIVATE, kAwaited, NULL, NULL, 0);
  }
  errno = error;
}

void run_give(run_lock* lock) {
  const int error = errno;
  if (__atomic_exchange_n(lock, kFree, __ATOMIC_RELEASE) == kAwaited) {
    syscall(SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  }
  errno = error;
}
