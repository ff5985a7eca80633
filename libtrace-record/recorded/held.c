/* Compiled with only general registers, like aside.c. */
#define _GNU_SOURCE
#include "held.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BIT(signal) (1ul << ((signal)-1))

/* By the system: the C library would keep its own signals from being held. */
unsigned long run_hold_signals(void) {
  static const unsigned long kHeld =
      ~(BIT(SIGSEGV) | BIT(SIGBUS) | BIT(SIGFPE) | BIT(SIGILL) | BIT(SIGTRAP) | BIT(SIGSYS) | BIT(SIGABRT));
  unsigned long before = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &kHeld, &before, sizeof kHeld);
  return before;
}

void run_let_signals_go(unsigned long before) {
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
}

void run_hold(struct run_held* held) {
  held->error = errno;
  held->before = run_hold_signals();
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &held->cancel_state);
}

void run_let_go(const struct run_held* held) {
  run_let_signals_go(held->before);
  errno = held->error;
  pthread_setcancelstate(held->cancel_state, NULL); /* the thread may end here */
}
