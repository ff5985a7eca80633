/* Spends processor time in functions whose shares are known: 50, 30, 15 and 5 %, by the thread's own clock. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kept.h"

/* So that a round is no whole number of ticks of a clock, which would meet the same functions in each. */
enum { ROUNDS = 34 };

static volatile uint64_t sink;

static uint64_t own_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The clock is read in the function that is to have the time, and its own code is nearly all of it. */
#define BURNS(name)                                               \
  KEPT static void name(uint64_t ns) {                            \
    const uint64_t until = own_ns() + ns;                         \
    while (own_ns() < until) {                                    \
      for (uint64_t i = 0; i < 20000; ++i) sink = sink * 31u + i; \
    }                                                             \
  }

BURNS(half)
BURNS(third)
BURNS(little)
BURNS(tiny)

KEPT static void inner(uint64_t ns) {
  half(ns / 100 * 50);
  third(ns / 100 * 30);
  sink += 1; /* else the last call would be a jump */
}

KEPT static void outer(uint64_t ns) {
  for (int i = 0; i < ROUNDS; ++i) {
    inner(ns / ROUNDS);
    little(ns / ROUNDS / 100 * 15);
    tiny(ns / ROUNDS / 100 * 5);
  }
  sink += 1;
}

KEPT static void deep(int depth, uint64_t ns) {
  char room[512];
  memset(room, depth, sizeof room);
  if (depth == 0) {
    half(ns);
  } else {
    deep(depth - 1, ns);
  }
  sink += (uint64_t)room[sink % sizeof room];
}

KEPT static void read_clock(uint64_t ns) {
  const uint64_t until = own_ns() + ns;
  while (own_ns() < until) {
    struct timespec now;
    for (int i = 0; i < 1000; ++i) clock_gettime(CLOCK_MONOTONIC, &now);
  }
  sink += 1;
}

static void* in_thread(void* ns) {
  outer(*(uint64_t*)ns);
  return NULL;
}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "plain";
  uint64_t ns = (argc > 2 ? strtoull(argv[2], NULL, 10) : 500) * 1000000u;
  if (strcmp(how, "plain") == 0) outer(ns);
  if (strcmp(how, "deep") == 0) deep(40, ns);
  if (strcmp(how, "clock") == 0) read_clock(ns);
  if (strcmp(how, "thread") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, &ns);
    pthread_join(thread, NULL);
  }
  if (strcmp(how, "fork") == 0) {
    if (fork() == 0) {
      outer(ns);
      _exit(0);
    }
    wait(NULL);
  }
  if (strcmp(how, "exec") == 0) execlp(argv[0], argv[0], "plain", argc > 2 ? argv[2] : "500", (char*)NULL);
  return 0;
}
