/* Cpu and sleep. */
#define _GNU_SOURCE
#include "known.h"

static volatile unsigned long sum;

static void* compute(void* nothing) {
  struct timespec now;
  do {
    for (int i = 0; i < 100000; ++i) sum = sum + 1;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while (now.tv_sec == 0 && now.tv_nsec < 200000000);
  return nothing;
}

/* 200 ms of cpu in each of two threads. */
int known_busy(void) {
  pthread_t thread;
  require(pthread_create(&thread, NULL, compute, NULL) == 0, "thread");
  pthread_setname_np(thread, "worker");
  compute(NULL);
  pthread_join(thread, NULL);
  return 0;
}

/* Its number, by which a test stops it. */
static void print_process(void) {
  printf("%ld\n", (long)getpid());
  fflush(stdout);
}

/* 200 ms of cpu. */
int known_spin(void) {
  print_process();
  compute(NULL);
  return 0;
}

/* In one call. */
int known_nap(void) {
  print_process();
  const struct timespec time = {2, 0};
  require(nanosleep(&time, NULL) == 0, "nanosleep");
  return 0;
}

/* Waits for a byte from standard input. */
int known_read_byte(void) {
  char byte;
  print_process();
  require(read(0, &byte, 1) == 1, "read");
  return 0;
}

/* 200 ms of cpu in each of twice as many threads as there are cpus. */
int known_crowd(void) {
  enum { kMost = 256 };
  pthread_t all[kMost];
  const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
  const long count = cpus < kMost / 2 ? 2 * cpus : kMost;
  for (long i = 0; i < count; ++i) require(pthread_create(&all[i], NULL, compute, NULL) == 0, "thread");
  for (long i = 0; i < count; ++i) pthread_join(all[i], NULL);
  return 0;
}

static pthread_barrier_t all_there;

static void* sleep_together(void* nothing) {
  pthread_barrier_wait(&all_there);
  usleep(60000);
  pthread_barrier_wait(&all_there);
  return nothing;
}

/* Sleeps: three times alone, then together with three others, each alone in its call. */
int known_phases(void) {
  pthread_t all[3];
  for (int i = 0; i < 3; ++i) usleep(20000);
  pthread_barrier_init(&all_there, NULL, 4);
  for (int i = 0; i < 3; ++i) require(pthread_create(&all[i], NULL, sleep_together, NULL) == 0, "thread");
  sleep_together(NULL);
  for (int i = 0; i < 3; ++i) pthread_join(all[i], NULL);
  return 0;
}

/* Sleeps forty times for a millisecond, and once for half a second. */
int known_outlier(void) {
  for (int i = 0; i < 40; ++i) usleep(1000);
  usleep(500000);
  return 0;
}
