/* Wrappers by which a program takes SIGPROF, or blocks it: samples of its code are left to it then (sampling.h). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "sampling.h"
#include "spool.h"

/* What the program asked for last, as far as it knows, is the default action: to have that again changes nothing. */
static int is_taken_by(const struct sigaction* wanted) {
  return (wanted->sa_flags & SA_SIGINFO) != 0 || wanted->sa_handler != SIG_DFL;
}

/* Handlers that run on a stack of their own, which may be small: there is no room for this library's on it, too. */
static char holds_it[_NSIG]; /* by signal: the program did not ask to block SIGPROF meanwhile */

static int set_other_action(int number, const struct sigaction* wanted, struct sigaction* before) {
  if (number <= 0 || number >= _NSIG) return REAL(sigaction)(number, wanted, before);
  const char held = holds_it[number];
  struct sigaction changed;
  if (wanted != NULL) {
    changed = *wanted;
    const int has_stack = (wanted->sa_flags & SA_ONSTACK) != 0 && run_has_profile_signal();
    holds_it[number] = (char)(has_stack && sigismember(&wanted->sa_mask, SIGPROF) == 0);
    if (holds_it[number]) sigaddset(&changed.sa_mask, SIGPROF);
  }
  const int result = REAL(sigaction)(number, wanted != NULL ? &changed : NULL, before);
  if (result == 0 && before != NULL && held) sigdelset(&before->sa_mask, SIGPROF);
  if (result != 0) holds_it[number] = held;
  return result;
}

RUN_EXPORT int sigaction(int number, const struct sigaction* wanted, struct sigaction* before) {
  if (number != SIGPROF) return set_other_action(number, wanted, before);
  if (!run_has_profile_signal()) return REAL(sigaction)(number, wanted, before);
  if (wanted == NULL || !is_taken_by(wanted)) {
    if (before != NULL) memset(before, 0, sizeof *before);
    return 0;
  }
  run_give_profile_signal();
  return REAL(sigaction)(number, wanted, before);
}

#define WRAP_SIGNAL(name)                                                                   \
  RUN_EXPORT __sighandler_t name(int number, __sighandler_t handler) {                      \
    if (number != SIGPROF || !run_has_profile_signal()) return REAL(name)(number, handler); \
    if (handler == SIG_DFL) return SIG_DFL;                                                 \
    run_give_profile_signal();                                                              \
    return REAL(name)(number, handler);                                                     \
  }

__sighandler_t __sysv_signal(int number, __sighandler_t handler);
WRAP_SIGNAL(signal)
WRAP_SIGNAL(__sysv_signal)
__sighandler_t bsd_signal(int number, __sighandler_t handler);
WRAP_SIGNAL(bsd_signal)
WRAP_SIGNAL(ssignal)

/* These change the mask as well. The system's headers warn of them, whoever calls. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
RUN_EXPORT __sighandler_t sigset(int number, __sighandler_t handler) {
  if (number == SIGPROF && run_has_profile_signal()) run_give_profile_signal();
  return REAL(sigset)(number, handler);
}

RUN_EXPORT int sigignore(int number) {
  if (number == SIGPROF && run_has_profile_signal()) run_give_profile_signal();
  return REAL(sigignore)(number);
}

/* The timer stops before the signal is blocked, and starts after it is not. */
#define WRAP_MASK(name)                                                                                \
  RUN_EXPORT int name(int how, const sigset_t* set, sigset_t* before) {                                \
    const int has_it = set != NULL && sigismember(set, SIGPROF) == 1;                                  \
    if (has_it && how != SIG_UNBLOCK) run_note_profile_signal(1);                                      \
    const int result = REAL(name)(how, set, before);                                                   \
    const int unblocks = set != NULL && (how == SIG_SETMASK ? !has_it : has_it && how == SIG_UNBLOCK); \
    if (unblocks) run_note_profile_signal(0);                                                          \
    return result;                                                                                     \
  }

WRAP_MASK(pthread_sigmask)
WRAP_MASK(sigprocmask)

/* Programs that are built with -pg start with the first; the C library sets their handler by itself. */
void __monstartup(unsigned long low, unsigned long high);
RUN_EXPORT void __monstartup(unsigned long low, unsigned long high) {
  if (run_has_profile_signal()) run_give_profile_signal();
  REAL(__monstartup)(low, high);
}

RUN_EXPORT int profil(unsigned short* counts, size_t size, size_t offset, unsigned scale) {
  if (run_has_profile_signal()) run_give_profile_signal();
  return REAL(profil)(counts, size, offset, scale);
}

RUN_EXPORT int dlclose(void* library) {
  const int result = REAL(dlclose)(library);
  run_forget_sent_code();
  return result;
}
