/* Wrappers of functions that start processes and wait for them. A program that is replaced by exec needs none: its ring
 * stays, and is read at the end. */
#define _GNU_SOURCE
#include <pty.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../recorded/entry.h"
#include "calls.h"
#include "jumps.h"
#include "session.h"

/* Since Linux 5.6. */
#if !defined(CLONE_NEWTIME)
#define CLONE_NEWTIME 0x00000080
#endif

static const struct run_object kProcess = {0, RUN_PROCESS};

static pid_t forked(const struct run_recorded* call, pid_t child) {
  if (child == 0) {
    run_session_of_child();
  } else {
    run_end(call, 0);
  }
  return child;
}

RUN_EXPORT pid_t fork(void) {
  const struct run_recorded call = run_begin(RUN_fork, kProcess, 0);
  return forked(&call, REAL(fork)());
}

/* The C library forks inside of this and the next. A handler of pthread_atfork() would be too early: a session needs
 * memory, and another handler may have the allocator's locks released after it. */
RUN_EXPORT pid_t forkpty(int* master, char* name, const struct termios* terminal, const struct winsize* size) {
  const struct run_recorded call = run_begin(RUN_forkpty, kProcess, 0);
  return forked(&call, REAL(forkpty)(master, name, terminal, size));
}

/* Returns in the child; in the parent only after an error. */
RUN_EXPORT int daemon(int keeps_folder, int keeps_files) {
  if (run_is_shut) return REAL(daemon)(keeps_folder, keeps_files);
  const pid_t parent = getpid();
  const struct run_recorded call = run_begin(RUN_daemon, kProcess, 0);
  const int result = REAL(daemon)(keeps_folder, keeps_files);
  if (getpid() != parent) {
    run_session_of_child();
  } else {
    run_end(&call, 0);
  }
  return result;
}

#if RUN_HAS_JUMPS
run_function run_note_vfork(void);
run_function run_note_vfork(void) {
  run_thread.after_vfork = RUN_AFTER_VFORK;
  return run_real(RUN_REAL_vfork);
}
#endif

RUN_WRAP_BOTH(int, posix_spawn,
              (pid_t * child, const char* path, const posix_spawn_file_actions_t* actions,
               const posix_spawnattr_t* attributes, char* const words[], char* const environment[]),
              (child, path, actions, attributes, words, environment), kProcess)
RUN_WRAP_BOTH(int, posix_spawnp,
              (pid_t * child, const char* file, const posix_spawn_file_actions_t* actions,
               const posix_spawnattr_t* attributes, char* const words[], char* const environment[]),
              (child, file, actions, attributes, words, environment), kProcess)
RUN_WRAP(int, system, system, (const char* line), (line), kProcess, 0, 0)
/* A process that waits for a child is not a vfork child itself: a thread that took itself for one records again. */
static struct run_recorded begin_wait(enum run_call call) {
  if (run_thread.after_vfork == RUN_RESTRICTED_CHILD) run_thread.after_vfork = RUN_AFTER_VFORK;
  return run_begin(call, kProcess, 0);
}

#define WRAP_WAIT(type, name, parameters, arguments) \
  RUN_WRAP_BEGUN(type, name, parameters, arguments, begin_wait(RUN_##name), 0)

WRAP_WAIT(pid_t, wait, (int* status), (status))
WRAP_WAIT(pid_t, waitpid, (pid_t child, int* status, int options), (child, status, options))
WRAP_WAIT(pid_t, wait4, (pid_t child, int* status, int options, struct rusage* usage), (child, status, options, usage))
WRAP_WAIT(int, waitid, (idtype_t kind, id_t id, siginfo_t* info, int options), (kind, id, info, options))

/* Some namespaces are for processes of one thread, or whose threads have nothing in common: the writer's is another. A
 * process that has more by itself is refused as ever. */
#define WRAP_ALONE(name, parameters, arguments, is_for_one_thread)                                             \
  RUN_EXPORT int name parameters {                                                                             \
    if (!(is_for_one_thread) || run_stream() == NULL || run_recorded_threads > 1) return REAL(name) arguments; \
    run_pause_session();                                                                                       \
    const int result = REAL(name) arguments;                                                                   \
    run_resume_session();                                                                                      \
    return result;                                                                                             \
  }

WRAP_ALONE(unshare, (int flags), (flags), (flags & (CLONE_NEWUSER | CLONE_VM | CLONE_SIGHAND | CLONE_THREAD)) != 0)
/* 0: any kind. */
WRAP_ALONE(setns, (int namespace, int kind), (namespace, kind),
           kind == 0 || (kind & (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWTIME)) != 0)
