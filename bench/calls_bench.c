/* What recording costs a program, each case in a loop of its own:
 *
 *   evt_calls CASE COUNT
 *
 * Prints a line "CASE COUNT cpu NS elapsed NS": the processor time of the calling thread and the time that passed, of
 * all of the loop; of `switches` and `processes` the processor time of all threads and children. `threads` prints a
 * line for each thread instead: "thread NUMBER clock NS schedstat NS", what it ran by its own clock and by the kernel's
 * sum. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

static void require(int is_so, const char* what) {
  if (is_so) return;
  perror(what);
  exit(1);
}

static int64_t ns_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int64_t ns_of_usage(int who) {
  struct rusage usage;
  getrusage(who, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * INT64_C(1000000000) +
         (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * INT64_C(1000);
}

/* One byte to a device that throws it away. */
static void system_calls(long count) {
  const int fd = open("/dev/null", O_WRONLY);
  require(fd >= 0, "/dev/null");
  for (long i = 0; i < count; ++i) require(write(fd, "x", 1) == 1, "write");
  close(fd);
}

static void* end_at_once(void* nothing) { return nothing; }

/* A lock that no other thread wants, of a program that has threads. */
static void locks(long count) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_t thread;
  require(pthread_create(&thread, NULL, end_at_once, NULL) == 0, "thread");
  pthread_join(thread, NULL);
  for (long i = 0; i < count; ++i) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
}

/* Ten bytes into a file's buffer. */
static void buffered(long count) {
  FILE* const file = fopen("/dev/null", "w");
  require(file != NULL, "/dev/null");
  for (long i = 0; i < count; ++i) fwrite("123456789\n", 1, 10, file);
  fclose(file);
}

/* A function of another object that does next to nothing. */
static void functions(long count) {
  unsigned seed = 1;
  for (long i = 0; i < count; ++i) rand_r(&seed);
}

static void on_one_cpu(void) {
  cpu_set_t set;
  require(sched_getaffinity(0, sizeof set, &set) == 0, "affinity");
  size_t cpu = 0;
  while (!CPU_ISSET(cpu, &set)) ++cpu;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  require(sched_setaffinity(0, sizeof set, &set) == 0, "affinity");
}

struct pass {
  int in;
  int out;
  long count;
};

static void* pass_on(void* given) {
  const struct pass* const pass = given;
  char byte = 0;
  for (long i = 0; i < pass->count; ++i) {
    if (read(pass->in, &byte, 1) != 1 || write(pass->out, &byte, 1) != 1) break;
  }
  return NULL;
}

/* Two threads of one cpu that pass a byte on: two switches each time. */
static void switches(long count) {
  int there[2];
  int back[2];
  pthread_t thread;
  on_one_cpu();
  require(pipe(there) == 0 && pipe(back) == 0, "pipe");
  struct pass other = {there[0], back[1], count / 2};
  require(pthread_create(&thread, NULL, pass_on, &other) == 0, "thread");
  for (long i = 0; i < count / 2; ++i) {
    char byte = 0;
    require(write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1, "pass");
  }
  pthread_join(thread, NULL);
}

/* One after another, each a program that ends at once. */
static void processes(long count) {
  char* const words[] = {"evt_calls", "none", "0", NULL};
  for (long i = 0; i < count; ++i) {
    pid_t child = 0;
    int status = 0;
    require(posix_spawn(&child, "/proc/self/exe", NULL, NULL, words, environ) == 0, "spawn");
    require(waitpid(child, &status, 0) == child && status == 0, "child");
  }
}

static void none(long count) { (void)count; }

static volatile unsigned long sum;

static void* compute(void* ms) {
  char path[64];
  char text[64] = "";
  const long thread = syscall(SYS_gettid);
  const int64_t end = *(const long*)ms * 1000000;
  while (ns_of(CLOCK_THREAD_CPUTIME_ID) < end) {
    for (int i = 0; i < 100000; ++i) sum = sum + 1;
  }
  snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", thread);
  const int fd = open(path, O_RDONLY);
  if (fd >= 0 && read(fd, text, sizeof text - 1) < 0) text[0] = '\0';
  if (fd >= 0) close(fd);
  printf("thread %ld clock %lld schedstat %llu\n", thread, (long long)ns_of(CLOCK_THREAD_CPUTIME_ID),
         strtoull(text, NULL, 10));
  return NULL;
}

/* Four threads: COUNT milliseconds, and two, three and four times that. */
static void threads(long count) {
  pthread_t thread[4];
  long ms[4];
  for (int i = 0; i < 4; ++i) {
    ms[i] = count * (i + 1);
    require(pthread_create(&thread[i], NULL, compute, &ms[i]) == 0, "thread");
  }
  for (int i = 0; i < 4; ++i) pthread_join(thread[i], NULL);
}

static const struct {
  const char* name;
  void (*run)(long count);
  int is_of_all; /* its processor time is that of threads and children, too */
} cases[] = {{"syscall", system_calls, 0}, {"lock", locks, 0},        {"buffered", buffered, 0},
             {"function", functions, 0},   {"switches", switches, 1}, {"processes", processes, 1},
             {"threads", threads, 1},      {"none", none, 0}};

static int64_t processor_ns(int is_of_all) {
  return is_of_all ? ns_of_usage(RUSAGE_SELF) + ns_of_usage(RUSAGE_CHILDREN) : ns_of(CLOCK_THREAD_CPUTIME_ID);
}

int main(int argc, char** argv) {
  for (size_t i = 0; argc == 3 && i < sizeof cases / sizeof *cases; ++i) {
    if (strcmp(argv[1], cases[i].name) != 0) continue;
    const long count = atol(argv[2]);
    const int64_t cpu = processor_ns(cases[i].is_of_all);
    const int64_t begin = ns_of(CLOCK_MONOTONIC);
    cases[i].run(count);
    const int64_t elapsed = ns_of(CLOCK_MONOTONIC) - begin;
    if (cases[i].run == none) return 0;
    printf("%s %ld cpu %lld elapsed %lld\n", argv[1], count, (long long)(processor_ns(cases[i].is_of_all) - cpu),
           (long long)elapsed);
    return 0;
  }
  fputs("usage: evt_calls CASE COUNT\n", stderr);
  return 2;
}
