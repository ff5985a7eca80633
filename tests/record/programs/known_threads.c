/* Threads, locks, and handlers of signals. */
#define _GNU_SOURCE
#include <semaphore.h>

#include "known.h"

static void* write_many(void* fd) {
  for (int i = 0; i < 1000; ++i) write_all(*(int*)fd, "x", 1);
  return NULL;
}

/* Eight threads of a thousand writes each. */
int known_threads(void) {
  int fd = open("t", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  pthread_t all[8];
  for (int i = 0; i < 8; ++i) require(pthread_create(&all[i], NULL, write_many, &fd) == 0, "thread");
  for (int i = 0; i < 8; ++i) pthread_join(all[i], NULL);
  return 0;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int locker;

static void* take_lock(void* wanted) {
  __atomic_store_n(&locker, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
  pthread_mutex_lock(wanted);
  pthread_mutex_unlock(wanted);
  return NULL;
}

/* By the system's word for its state: S. By system calls, which are not recorded. */
int known_sleeps(int thread) {
  char path[64];
  char text[256] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", thread);
  const long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
  if (fd < 0) return 0;
  syscall(SYS_read, fd, text, sizeof text - 1);
  syscall(SYS_close, fd);
  const char* const end = strrchr(text, ')');
  return end != NULL && end[2] == 'S';
}

/* What another thread does until this one lets it. */
static void wait_for(pthread_mutex_t* wanted) {
  pthread_t thread;
  __atomic_store_n(&locker, 0, __ATOMIC_RELEASE);
  pthread_mutex_lock(wanted);
  require(pthread_create(&thread, NULL, take_lock, wanted) == 0, "thread");
  while (__atomic_load_n(&locker, __ATOMIC_ACQUIRE) == 0 || !known_sleeps(locker)) sched_yield();
  pthread_mutex_unlock(wanted);
  pthread_join(thread, NULL);
}

/* A thousand locks of a free one, and one that is waited for. */
int known_locks(void) {
  for (int i = 0; i < 1000; ++i) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  wait_for(&lock);
  return 0;
}

static struct {
  int before[10];
  pthread_mutex_t lock;
} of_struct = {{0}, PTHREAD_MUTEX_INITIALIZER};
/* As a compiler of C++ calls them, and as none does. */
static pthread_mutex_t of_namespace __asm__("_ZN3app12_GLOBAL__N_13logE") = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t odd __asm__("_Zodd") = PTHREAD_MUTEX_INITIALIZER;

/* Each is waited for twice. */
int known_named_locks(void) {
  pthread_mutex_t on_stack = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t* const all[] = {&lock, &of_struct.lock, &of_namespace, &odd, &on_stack};
  for (int i = 0; i < 10; ++i) wait_for(all[i % 5]);
  return 0;
}

__attribute__((noreturn)) static void* wait_for_ever(void* started) {
  __atomic_store_n((int*)started, 1, __ATOMIC_RELEASE);
  for (;;) pause();
}

/* The program ends before one of its threads. */
int known_endless(void) {
  static int started;
  pthread_t thread;
  require(pthread_create(&thread, NULL, wait_for_ever, &started) == 0, "thread");
  while (!__atomic_load_n(&started, __ATOMIC_ACQUIRE)) sched_yield();
  puts("ends");
  return 4;
}

static pthread_key_t key;

static void write_at_end(void* fd) { write_all(*(int*)fd, "end", 3); }

static void* set_value(void* fd) {
  pthread_setspecific(key, fd);
  return NULL;
}

/* Three bytes by a destructor of a thread's value. */
int known_destructor(void) {
  int fd = open("d", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pthread_key_create(&key, write_at_end);
  pthread_t thread;
  require(pthread_create(&thread, NULL, set_value, &fd) == 0, "thread");
  pthread_join(thread, NULL);
  return 0;
}

static int null_device = -1;
static int handled;

static void write_in_handler(int number) {
  (void)number;
  const int error = errno;
  write_all(null_device, "s", 1);
  __atomic_add_fetch(&handled, 1, __ATOMIC_RELAXED);
  errno = error;
}

/* Writes by one thread, which is interrupted by a handler that writes. */
int known_interrupted(void) {
  null_device = open("/dev/null", O_WRONLY);
  signal(SIGALRM, write_in_handler);
  const struct itimerval often = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &often, NULL);
  for (int i = 0; i < 200000; ++i) write_all(null_device, "x", 1);
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  return 0;
}

/* 8000 writes by threads while a timer interrupts them; prints how many there were more. */
int known_storm(void) {
  null_device = open("/dev/null", O_WRONLY);
  signal(SIGALRM, write_in_handler);
  const struct itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, NULL);
  known_threads();
  const struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &never, NULL);
  return 0;
}

static void* read_for_ever(void* fd) {
  char byte;
  __atomic_store_n(&locker, (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
  return read(*(int*)fd, &byte, 1) == 1 ? fd : NULL;
}

int known_cancelled(void) {
  int fds[2];
  require(pipe(fds) == 0, "pipe");
  pthread_t thread;
  void* result = NULL;
  require(pthread_create(&thread, NULL, read_for_ever, &fds[0]) == 0, "thread");
  while (__atomic_load_n(&locker, __ATOMIC_ACQUIRE) == 0 || !known_sleeps(locker)) sched_yield();
  pthread_cancel(thread);
  pthread_join(thread, &result);
  puts(result == PTHREAD_CANCELED ? "cancelled" : "returned");
  return 0;
}

static void* kill_when_it_sleeps(void* thread) {
  while (!known_sleeps(*(int*)thread)) sched_yield();
  raise(SIGKILL);
  return NULL;
}

/* Reads a line by stdio, and is killed while it waits for the rest of another. */
int known_partial_line(void) {
  int fds[2];
  int self_number = (int)syscall(SYS_gettid);
  char line[100];
  pthread_t thread;
  require(pipe(fds) == 0, "pipe");
  FILE* const lines = fdopen(fds[0], "r");
  write_all(fds[1], "one\ntwo", 7);
  require(lines != NULL && fgets(line, sizeof line, lines) != NULL, "fgets");
  require(pthread_create(&thread, NULL, kill_when_it_sleeps, &self_number) == 0, "thread");
  return fgets(line, sizeof line, lines) != NULL;
}

static void be_killed_asleep(void) {
  static int self_number;
  pthread_t thread;
  self_number = (int)syscall(SYS_gettid);
  require(pthread_create(&thread, NULL, kill_when_it_sleeps, &self_number) == 0, "thread");
}

/* Asks for a MiB of a pipe that stays empty, and is killed while it waits. */
int known_unread(void) {
  static char bytes[1 << 20];
  int fds[2];
  require(pipe(fds) == 0, "pipe");
  be_killed_asleep();
  return read(fds[0], bytes, sizeof bytes) != 0;
}

int known_asleep(void) {
  const struct timespec long_time = {1000, 0};
  be_killed_asleep();
  return nanosleep(&long_time, NULL);
}

/* By a cancellation that is asked for before. */
static void* wait_for_free(void* semaphore) {
  pthread_cancel(pthread_self());
  sem_wait(semaphore);
  return semaphore;
}

int known_free_semaphore(void) {
  sem_t semaphore;
  pthread_t thread;
  void* result = NULL;
  sem_init(&semaphore, 0, 1);
  require(pthread_create(&thread, NULL, wait_for_free, &semaphore) == 0, "thread");
  pthread_join(thread, &result);
  puts(result == PTHREAD_CANCELED ? "cancelled" : "returned");
  return 0;
}

static void* do_nothing(void* nothing) { return nothing; }

/* As many threads as may be about to begin at once, which cannot before this one waits, on one cpu; meanwhile a child,
 * which has threads of its own. 77: the system refuses that. */
int known_unbegun(void) {
  enum { kThreads = 64 };
  pthread_t threads[kThreads];
  pthread_t thread;
  pthread_attr_t attributes;
  int status = 0;
  cpu_set_t cpu;
  const struct sched_param first = {1};
  const struct sched_param ordinary = {0};
  CPU_ZERO(&cpu);
  CPU_SET((unsigned)sched_getcpu(), &cpu);
  if (sched_setaffinity(0, sizeof cpu, &cpu) != 0) return 77;
  if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first) != 0) return 77;
  pthread_attr_init(&attributes);
  pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
  pthread_attr_setschedparam(&attributes, &ordinary);
  for (int i = 0; i < kThreads; ++i) {
    require(pthread_create(&threads[i], &attributes, do_nothing, NULL) == 0, "thread");
  }
  const pid_t child = fork();
  if (child == 0) {
    sched_setscheduler(0, SCHED_OTHER, &ordinary);
    alarm(60); /* it shall not wait for ever */
    require(pthread_create(&thread, NULL, do_nothing, NULL) == 0, "thread of the child");
    pthread_join(thread, NULL);
    _exit(3);
  }
  waitpid(child, &status, 0);
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  return WEXITSTATUS(status);
}

static sigjmp_buf back;

static void jump_back(int number) {
  (void)number;
  siglongjmp(back, 1);
}

static pthread_t main_thread;

static void* interrupt_when_it_sleeps(void* thread) {
  while (!known_sleeps(*(int*)thread)) sched_yield();
  pthread_kill(main_thread, SIGUSR1);
  return NULL;
}

/* A handler leaves a read that waits, for good; then 3 bytes are written. */
int known_jump(void) {
  int fds[2];
  char byte = 0;
  pthread_t thread;
  int number = (int)syscall(SYS_gettid);
  const int fd = open("j", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  main_thread = pthread_self();
  signal(SIGUSR1, jump_back);
  require(pipe(fds) == 0, "pipe");
  if (sigsetjmp(back, 1) == 0) {
    require(pthread_create(&thread, NULL, interrupt_when_it_sleeps, &number) == 0, "thread");
    require(read(fds[0], &byte, 1) != 1, "read");
    return 97;
  }
  write_all(fd, "123", 3);
  puts("back");
  return 0;
}

/* Each lock that is free, a time that is over, and numbers of several kinds: 3 lines. */
int known_locks_and_lines(void) {
  static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  const struct timespec over = {1, 0};
  sem_t semaphore;
  sem_init(&semaphore, 0, 3);
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&lock);
    require(pthread_cond_timedwait(&condition, &lock, &over) == ETIMEDOUT, "pthread_cond_timedwait");
    pthread_mutex_unlock(&lock);
    pthread_rwlock_rdlock(&shared);
    pthread_rwlock_unlock(&shared);
    pthread_rwlock_wrlock(&shared);
    pthread_rwlock_unlock(&shared);
    sem_wait(&semaphore);
  }
  printf("%d %d %d %d %d %d %g %g\n", 1, 2, 3, 4, 5, 6, 7.5, 8.5);
  fprintf(stdout, "%s %d %d %d %d %d %g\n", "list", 1, 2, 3, 4, 5, 6.5);
  puts("end");
  return 0;
}

static void* fork_once(void* nothing) {
  int status = 0;
  const int fd = open("/dev/null", O_WRONLY);
  write_all(fd, "x", 1);
  const pid_t child = fork();
  if (child == 0) {
    write_all(fd, "y", 1);
    _exit(7);
  }
  require(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7, "child");
  close(fd);
  return nothing;
}

/* Four threads of the smallest stacks, each of which forks. */
int known_small_threads(void) {
  pthread_t all[4];
  pthread_attr_t small;
  pthread_attr_init(&small);
  require(pthread_attr_setstacksize(&small, (size_t)sysconf(_SC_THREAD_STACK_MIN)) == 0, "stack size");
  for (int i = 0; i < 4; ++i) require(pthread_create(&all[i], &small, fork_once, NULL) == 0, "thread");
  for (int i = 0; i < 4; ++i) pthread_join(all[i], NULL);
  puts("forked");
  return 0;
}
