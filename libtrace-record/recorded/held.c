#define _GNU_SOURCE
#include "held.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* By the system: the C library would keep its own signals from being held. */
static void set_mask(const unsigned long* mask, unsigned long* before) {
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, mask, before, sizeof(unsigned long));
}

#define BIT(signal) (1ul << ((signal)-1))

void run_hold(struct run_held* held) {
  static const unsigned long kHeld =
      ~(BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGSYS) | BIT(SIGABRT));
  held->error = errno;
  set_mask(&kHeld, &held->before);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &held->cancel_state);
}

void run_let_go(const struct run_held* held) {
  set_mask(&held->before, NULL);
  errno = held->error;
  pthread_setcancelstate(held->cancel_state, NULL); /* the thread may end here */
}
