/* Wrappers of functions by which a program restricts its own system calls. Recording ends before the filter is in
 * force: its own system calls could end the program. Filters that a process has at its start do not matter here: they
 * already allow it to run. */
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "calls.h"
#include "jumps.h"
#include "session.h"

/* Calls by which libraries find out what the system has, and which it refuses. */
static int is_probe(unsigned long operation, unsigned long flags, unsigned long filter) {
  if (operation == SECCOMP_SET_MODE_STRICT) return flags != 0 || filter != 0;
  return operation != SECCOMP_SET_MODE_FILTER || filter == 0;
}

static int may_restrict(long number, unsigned long a, unsigned long b, unsigned long c) {
  if (number == SYS_seccomp) return !is_probe(a, b, c);
  if (number != SYS_prctl || a != PR_SET_SECCOMP) return 0;
  return b == SECCOMP_MODE_STRICT || (b == SECCOMP_MODE_FILTER && c != 0);
}

/* Another thread that could not have the filter is a result above 0; so is the descriptor of a listener. */
static int is_refused(long number, unsigned long operation_flags, long result) {
  const unsigned long by_number = SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_TSYNC_ESRCH;
  if (result > 0 && number == SYS_seccomp) {
    return (operation_flags & by_number) == SECCOMP_FILTER_FLAG_TSYNC;
  }
  return result < 0;
}

/* 1: recording has ended. */
static int end_recording(void) {
  if (!run_is_in_vfork_child()) return run_end_recording();
  run_thread.after_vfork = RUN_RESTRICTED_CHILD;
  return 0;
}

RUN_EXPORT int prctl(int option, ...) {
  unsigned long values[4];
  va_list rest;
  va_start(rest, option);
  for (int i = 0; i < 4; ++i) values[i] = va_arg(rest, unsigned long);
  va_end(rest);
  const int restricts = may_restrict(SYS_prctl, (unsigned long)option, values[0], values[1]) && end_recording();
  const int result = REAL(prctl)(option, values[0], values[1], values[2], values[3]);
  if (restricts && is_refused(SYS_prctl, 0, result)) run_record_again();
  return result;
}

/* Replaces syscall() if it may restrict the program: jumps.S leads here. */
long run_wrap_syscall(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e,
                      unsigned long f);
long run_wrap_syscall(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e,
                      unsigned long f) {
  const int restricts = may_restrict(number, a, b, c) && end_recording();
  const long result = REAL(syscall)(number, a, b, c, d, e, f);
  if (restricts && is_refused(number, b, result)) run_record_again();
  return result;
}

run_function run_next_syscall; /* NULL: not looked for yet */
void run_pass_syscalls(void) { run_next_syscall = run_real(RUN_REAL_syscall); }

#if !RUN_HAS_JUMPS
RUN_EXPORT long syscall(long number, ...) {
  unsigned long values[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i) values[i] = va_arg(rest, unsigned long);
  va_end(rest);
  return run_wrap_syscall(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}
#endif
