/* What a program may do with SIGPROF and with its stacks while its code is sampled by that signal. Prints what it has
 * seen, which is the same without samples. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "kept.h"
#include "libtrace-record/recorded/sample_spool.h"

static volatile uint64_t sink;
static volatile sig_atomic_t signals;

static uint64_t own_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

KEPT static void burn(uint64_t ms) {
  const uint64_t until = own_ns() + ms * 1000000u;
  while (own_ns() < until) {
    for (uint64_t i = 0; i < 20000; ++i) sink = sink * 31u + i;
  }
}

KEPT static void burn_before(uint64_t ms) {
  burn(ms);
  sink += 1;
}
KEPT static void burn_blocked(uint64_t ms) {
  burn(ms);
  sink += 1;
}
KEPT static void burn_after(uint64_t ms) {
  burn(ms);
  sink += 1;
}

static void on_signal(int number) {
  (void)number;
  ++signals;
}

static void show_action(const char* when) {
  struct sigaction now;
  sigaction(SIGPROF, NULL, &now);
  printf("%s: %s\n", when, now.sa_handler == SIG_DFL ? "default" : now.sa_handler == on_signal ? "own" : "another's");
}

static void handle(void) {
  show_action("at first");
  burn_before(300);
  struct sigaction own, before;
  memset(&own, 0, sizeof own);
  own.sa_handler = on_signal;
  sigaction(SIGPROF, &own, &before);
  printf("before: %s\n", before.sa_handler == SIG_DFL ? "default" : "another's");
  show_action("then");
  burn_after(300);
  printf("%d signals\n", (int)signals);
  const struct itimerval every = {{0, 10000}, {0, 10000}};
  setitimer(ITIMER_PROF, &every, NULL);
  burn_after(100);
  printf("%s with a timer\n", signals > 0 ? "some" : "none");
}

/* Some programs give every signal its default action, those of their children too. */
static void reset(void) {
  for (int number = 1; number < 32; ++number) signal(number, SIG_DFL);
  show_action("after");
  burn_after(300);
}

static void* wait_for_all(void* set) {
  int number = 0;
  burn_blocked(300);
  sigwait(set, &number);
  printf("thread: %s\n", strsignal(number));
  return NULL;
}

/* All signals are for one thread that asks for them; others have the process's cpu time. */
static void block(void) {
  sigset_t all;
  pthread_t thread;
  burn_before(100);
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  burn_blocked(300);
  sigset_t pending;
  sigpending(&pending);
  printf("main: %s\n", sigismember(&pending, SIGPROF) ? "SIGPROF waits" : "nothing waits");
  pthread_create(&thread, NULL, wait_for_all, &all);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  pthread_sigmask(SIG_UNBLOCK, &all, NULL);
  burn_after(300);
}

static void interrupt(void) {
  int interrupted = 0;
  const struct timespec none = {0, 1000};
  for (int i = 0; i < 3000; ++i) {
    for (int k = 0; k < 2000; ++k) sink += (uint64_t)k;
    if (poll(NULL, 0, 0) != 0) ++interrupted;
    if (nanosleep(&none, NULL) != 0) ++interrupted;
  }
  printf("%d interrupted\n", interrupted);
}

static void in_small_stack(void) { burn(300); }

/* The copy of it would go beyond its end, where nothing is. */
static void coroutine(void) {
  enum { kSize = 16384 };
  static ucontext_t here, there;
  char* const room = mmap(NULL, 2 * kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(room + kSize, kSize);
  getcontext(&there);
  there.uc_stack.ss_sp = room;
  there.uc_stack.ss_size = kSize;
  there.uc_link = &here;
  makecontext(&there, in_small_stack, 0);
  swapcontext(&here, &there);
  printf("back\n");
}

static void* burn_little(void* nothing) {
  (void)nothing;
  burn(4);
  return NULL;
}

static void many(void) {
  for (int round = 0; round < 40; ++round) {
    pthread_t threads[5];
    for (int i = 0; i < 5; ++i) pthread_create(&threads[i], NULL, burn_little, NULL);
    for (int i = 0; i < 5; ++i) pthread_join(threads[i], NULL);
  }
  printf("200 threads\n");
}

/* Each time it is about to be interrupted. */
static void executes(char** argv) {
  const int left = atoi(argv[2]);
  char text[16];
  burn(5);
  if (left == 0) {
    printf("executed\n");
    return;
  }
  snprintf(text, sizeof text, "%d", left - 1);
  argv[2] = text;
  execvp(argv[0], argv);
}

static void plug(const char* library) {
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 64);
  path[size > 0 ? size : 0] = '\0';
  snprintf(strrchr(path, '/') + 1, 64, "lib%s.so", library);
  void* const handle = dlopen(path, RTLD_NOW);
  union {
    void* address;
    void (*call)(void (*)(uint64_t), uint64_t);
  } function = {handle != NULL ? dlsym(handle, library) : NULL};
  if (function.address == NULL) exit(1);
  function.call(burn, 300);
  dlclose(handle);
}

/* As if evt run's memory had been full five times. */
static void lose(void) {
  char line[4096];
  FILE* const maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    if (strstr(line, "/memfd:evt run: samples") == NULL) continue;
    struct run_spool* const spool = (struct run_spool*)strtoull(line, NULL, 16);
    __atomic_add_fetch(&spool->lost, 5, __ATOMIC_RELAXED);
  }
  burn(50);
  printf("lost\n");
}

/* Needs much of the stack that it runs on. */
KEPT static void use_stack(int number) {
  char room[24000];
  memset(room, number, sizeof room);
  ++signals;
  sink += (uint64_t)room[sink % sizeof room];
}

static void burn_in_handler(int number) {
  char room[3000];
  memset(room, number, sizeof room);
  burn(200);
  sink += (uint64_t)room[sink % sizeof room];
}

static void set(int number, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags | SA_RESTART;
  sigaction(number, &action, NULL);
}

static void* raise_it(void* number) {
  pthread_kill(pthread_self(), *(int*)number);
  return number;
}

/* Its handlers come while that of samples runs, on a stack that it does not know of, or on a small one of their own. */
static void handlers(void) {
  set(SIGALRM, use_stack, 0);
  const struct itimerval often = {{0, 200}, {0, 200}};
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, NULL);
  burn(500);
  setitimer(ITIMER_REAL, &never, NULL);
  set(SIGUSR1, use_stack, SA_ONSTACK);
  int number = SIGUSR1;
  pthread_t thread;
  pthread_create(&thread, NULL, raise_it, &number);
  pthread_join(thread, NULL);
  static char small[8192];
  const stack_t stack = {.ss_sp = small, .ss_size = sizeof small};
  sigaltstack(&stack, NULL);
  set(SIGUSR2, burn_in_handler, SA_ONSTACK);
  raise(SIGUSR2);
  struct sigaction now;
  sigaction(SIGUSR2, NULL, &now);
  printf("%s %d\n", signals > 0 ? "handled" : "not handled", sigismember(&now.sa_mask, SIGPROF));
}

/* By names of other times. */
static void old_names(void) {
  ssignal(SIGPROF, on_signal);
  burn(200);
  printf("%d\n", (int)signals);
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "handle") == 0) handle();
  if (strcmp(how, "reset") == 0) reset();
  if (strcmp(how, "handlers") == 0) handlers();
  if (strcmp(how, "old") == 0) old_names();
  if (strcmp(how, "block") == 0) block();
  if (strcmp(how, "interrupt") == 0) interrupt();
  if (strcmp(how, "coroutine") == 0) coroutine();
  if (strcmp(how, "many") == 0) many();
  if (strcmp(how, "lose") == 0) lose();
  if (strcmp(how, "execute") == 0) executes(argv);
  if (strcmp(how, "kill") == 0) kill(getpid(), SIGPROF);
  if (strcmp(how, "plug") == 0) {
    burn_before(100);
    plug("plugged_first");
    plug("plugged_second");
  }
  return 0;
}
