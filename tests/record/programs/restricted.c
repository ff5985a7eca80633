/* A program that restricts its own system calls: to what it needs, so that any other ends it. Each word is a story.
 * What it does before is 3 bytes, and after it 1000 of a byte each. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { kNotHere = 77 };
#define ALLOW(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int out = -1;
static FILE* file;

static void write_one(const char* bytes, size_t size) {
  if (write(out, bytes, size) != (ssize_t)size) _exit(99);
}

/* Allows what it is to need: to read, write and end; all else is answered so. */
static struct sock_fprog filter_with(unsigned answer) {
  static struct sock_filter code[12];
  const struct sock_filter made[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                                     ALLOW(SYS_read),
                                     ALLOW(SYS_write),
                                     ALLOW(SYS_exit),
                                     ALLOW(SYS_exit_group),
                                     BPF_STMT(BPF_RET | BPF_K, answer)};
  memcpy(code, made, sizeof made);
  const struct sock_fprog filter = {sizeof made / sizeof *made, code};
  return filter;
}

static int restrict_by_prctl(unsigned answer) {
  struct sock_fprog filter = filter_with(answer);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static long restrict_by_syscall(unsigned answer, unsigned flags) {
  struct sock_fprog filter = filter_with(answer);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

/* By functions that are wrapped, and need nothing but read and write. */
static void go_on(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static sem_t semaphore;
  char byte = 0;
  sem_init(&semaphore, 0, 1000);
  for (int i = 0; i < 1000; ++i) {
    pthread_mutex_lock(&lock);
    write_one("x", 1);
    pthread_mutex_unlock(&lock);
    sem_wait(&semaphore);
    fputs("y", file);
    if (read(-1, &byte, 1) != -1) _exit(99);
  }
  free(malloc(64));
}

static int say(const char* what) {
  if (write(STDOUT_FILENO, what, strlen(what)) < 0) _exit(99);
  return 0;
}

static volatile int stops;
static int threads_run;

static void* write_for_ever(void* nothing) {
  const int null_device = open("/dev/null", O_WRONLY);
  __atomic_add_fetch(&threads_run, 1, __ATOMIC_RELEASE);
  while (!stops) {
    if (write(null_device, "z", 1) != 1) _exit(99);
  }
  return nothing;
}

static void begin_threads(int count) {
  pthread_t thread;
  for (int i = 0; i < count; ++i) {
    if (pthread_create(&thread, NULL, write_for_ever, NULL) != 0) _exit(99);
  }
  while (__atomic_load_n(&threads_run, __ATOMIC_ACQUIRE) != count) sched_yield();
}

/* In a child, of which the parent waits for the end. */
static int in_child(int (*function)(void)) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) _exit(function());
  if (child < 0 || waitpid(child, &status, 0) != child) return 99;
  go_on();
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int restricted_child(void) {
  if (restrict_by_prctl(SECCOMP_RET_KILL_PROCESS) != 0) return kNotHere;
  go_on();
  return 0;
}

static int restricts_vfork_child(void) {
  int status = 0;
  char* const words[] = {(char*)(size_t) "true", NULL};
  struct sock_fprog filter = filter_with(SECCOMP_RET_ALLOW);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const pid_t child = vfork();
#pragma GCC diagnostic pop
  if (child == 0) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) _exit(kNotHere);
    execv("/bin/true", words);
    _exit(98);
  }
  if (child < 0 || waitpid(child, &status, 0) != child) return 99;
  go_on();
  return WEXITSTATUS(status);
}

/* Restricted to what its parent is told of: threads end, a process begins. */
static void go_on_before_a_witness(void) {
  pthread_t threads[4];
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  raise(SIGSTOP);
  for (int i = 0; i < 4; ++i) {
    if (pthread_create(&threads[i], NULL, write_for_ever, NULL) != 0) _exit(99);
  }
  while (__atomic_load_n(&threads_run, __ATOMIC_ACQUIRE) != 4) sched_yield();
  if (restrict_by_syscall(SECCOMP_RET_TRACE, SECCOMP_FILTER_FLAG_TSYNC) != 0) _exit(kNotHere);
  go_on();
  stops = 1;
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  const pid_t child = fork();
  if (child == 0) go_on();
  if (child == 0) _exit(0);
  waitpid(child, NULL, 0);
  _exit(0);
}

/* Says which system calls a restricted program asks for, and how many. Those by which threads wait for each other
 * depend on who comes first. */
static int tell_as_witness(void) {
  enum { kCalls = 1024, kEnd = 80, kOptions = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK };
  static int asked[kCalls];
  int status = 0;
  const pid_t child = fork();
  if (child == 0) go_on_before_a_witness();
  if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return kNotHere;
  ptrace(PTRACE_SETOPTIONS, child, NULL, kOptions);
  ptrace(PTRACE_CONT, child, NULL, NULL);
  for (pid_t thread = 0; (thread = waitpid(-1, &status, __WALL)) > 0;) {
    struct __ptrace_syscall_info call;
    if (!WIFSTOPPED(status)) continue;
    const int event = status >> 16;
    const int signal = event == 0 && WSTOPSIG(status) != SIGSTOP ? WSTOPSIG(status) : 0;
    if (event == PTRACE_EVENT_SECCOMP && ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof call, &call) > 0 &&
        call.seccomp.nr < kCalls) {
      ++asked[call.seccomp.nr];
    }
    ptrace(PTRACE_CONT, thread, NULL, signal);
  }
  asked[SYS_futex] = 0;
  for (int i = 0; i < kCalls; ++i) {
    char line[kEnd];
    if (asked[i] > 0) snprintf(line, sizeof line, "system call %d: %d\n", i, asked[i]);
    if (asked[i] > 0) say(line);
  }
  return 0;
}

static int tell(const char* story) {
  if (strcmp(story, "strict") == 0) {
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0) return kNotHere;
    for (int i = 0; i < 1000; ++i) write_one("x", 1);
    say("strict\n");
    syscall(SYS_exit, 0);
  }
  if (strcmp(story, "kill-process") == 0 && restrict_by_prctl(SECCOMP_RET_KILL_PROCESS) != 0) return kNotHere;
  if (strcmp(story, "kill-thread") == 0 && restrict_by_prctl(SECCOMP_RET_KILL_THREAD) != 0) return kNotHere;
  if (strcmp(story, "error") == 0 && restrict_by_prctl(SECCOMP_RET_ERRNO | 1) != 0) return kNotHere;
  if (strcmp(story, "syscall") == 0 && restrict_by_syscall(SECCOMP_RET_KILL_PROCESS, 0) != 0) return kNotHere;
  if (strcmp(story, "all-threads") == 0) {
    begin_threads(4);
    if (restrict_by_syscall(SECCOMP_RET_KILL_PROCESS, SECCOMP_FILTER_FLAG_TSYNC) != 0) return kNotHere;
  }
  if (strcmp(story, "other-thread") == 0) {
    begin_threads(1);
    if (restrict_by_prctl(SECCOMP_RET_KILL_PROCESS) != 0) return kNotHere;
  }
  if (strcmp(story, "by-syscall-of-prctl") == 0) {
    struct sock_fprog filter = filter_with(SECCOMP_RET_KILL_PROCESS);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (syscall(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return kNotHere;
  }
  if (strcmp(story, "end") == 0) return restrict_by_prctl(SECCOMP_RET_KILL_PROCESS) != 0 ? kNotHere : 4;
  if (strcmp(story, "witness") == 0) return tell_as_witness();
  if (strcmp(story, "child") == 0) return in_child(restricted_child);
  if (strcmp(story, "vfork") == 0) return restricts_vfork_child();
  if (strcmp(story, "probes") == 0) {
    const long unknown = syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 1, NULL);
    const int none = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL);
    say(unknown == -1 && none == -1 ? "refused\n" : "accepted\n");
  }
  if (strncmp(story, "refused", 7) == 0) {
    struct sock_fprog empty = {0, NULL};
    struct sock_filter code = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    empty.filter = &code;
    if (strcmp(story, "refused-beside-a-thread") == 0) begin_threads(1);
    say(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &empty) == -1 ? "refused\n" : "accepted\n");
    stops = 1;
  }
  if (strcmp(story, "inherits") == 0) {
    char* const words[] = {(char*)(size_t) "known", (char*)(size_t) "files", NULL};
    struct sock_fprog filter = filter_with(SECCOMP_RET_ALLOW);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) return kNotHere;
    execvp("known", words);
    return 99;
  }
  go_on();
  say("went on\n");
  _exit(5);
}

int main(int argc, char** argv) {
  static char buffer[8192];
  out = open("w", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  file = fopen("/dev/null", "w");
  if (argc != 2 || out < 0 || file == NULL) return 98;
  setvbuf(file, buffer, _IOFBF, sizeof buffer);
  free(malloc(64));
  write_one("123", 3);
  return tell(argv[1]);
}
