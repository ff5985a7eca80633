// Emits as end_to_end_bench.cc does, with LTTng-UST; prints the processor time of an event in nanoseconds: of the
// threads that emit, and of the whole process, its helpers included.
//
//   lttng_emit PAIRS THREADS
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "start_stop.h"

enum { kMaxThreads = 64 };

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint32_t thread_of(uint32_t i) {
  uint32_t mixed = i * 2654435761u;
  mixed = (mixed ^ mixed >> 15) * 2246822519u;
  return mixed >> 22;
}

struct share {
  pthread_t thread;
  uint32_t pairs;
  double seconds;
};

static void* emit(void* argument) {
  struct share* const share = argument;
  const double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
  for (uint32_t i = 0; i < share->pairs; ++i) {
    lttng_ust_tracepoint(sched, start, thread_of(i));
    lttng_ust_tracepoint(sched, stop, thread_of(i), 1);
  }
  share->seconds = seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
  return NULL;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const uint32_t pairs = (uint32_t)strtoul(argv[1], NULL, 10);
  const uint32_t count = (uint32_t)strtoul(argv[2], NULL, 10);
  if (count == 0 || count > kMaxThreads) return 2;
  struct share shares[kMaxThreads] = {0};
  const double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (uint32_t i = 0; i < count; ++i) {
    shares[i].pairs = pairs / count;
    if (pthread_create(&shares[i].thread, NULL, emit, &shares[i]) != 0) return 1;
  }
  double hot = 0;
  for (uint32_t i = 0; i < count; ++i) {
    pthread_join(shares[i].thread, NULL);
    hot += shares[i].seconds;
  }
  const double events = 2.0 * (pairs / count) * count;
  printf("%.3f %.3f\n", hot * 1e9 / events, (seconds(CLOCK_PROCESS_CPUTIME_ID) - begin) * 1e9 / events);
  return 0;
}
