/* Nanoseconds of the thread's cpu time for a call of a function that another library has, which does next to nothing:
 * the least of many rounds. The argument: how many calls a round has. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

long imported_function(long a, long b);

static double cpu_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  enum { kRounds = 40 };
  const long calls = argc > 1 ? atol(argv[1]) : 200000;
  double least = 1e18;
  long sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double began = cpu_ns();
    for (long i = 0; i < calls; ++i) sum = imported_function(sum, i);
    const double took = (cpu_ns() - began) / (double)calls;
    if (took < least) least = took;
  }
  printf("%.1f\n", least);
  return sum == 1; /* so that the calls are made */
}
