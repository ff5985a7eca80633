/* Spends its time in functions that the compiler puts into others: two thirds in the first call of the innermost. */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "kept.h"

#define INLINED static inline __attribute__((always_inline))

static volatile uint64_t sink;

/* In a register: what a processor makes of a variable in memory may differ from one call to the next. */
INLINED void innermost(uint64_t rounds) {
  uint64_t value = rounds;
  for (uint64_t i = 0; i < rounds; ++i) {
    value = value * 31u + i;
    __asm__ volatile("" : "+r"(value));
  }
  sink = value;
}

/* The tests know these lines by their numbers. */
#line 101
INLINED void between(uint64_t rounds) {
  innermost(2 * rounds);
  innermost(rounds);
}

KEPT static void outermost(uint64_t ns) {
  struct timespec now;
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t random = 1;
  while (begin == 0 || end - begin < ns) {
    random = random * 6364136223846793005u + 1; /* of no length that the ticks of a sampler go along with */
    between(12000 + (random >> 50));
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    end = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    if (begin == 0) begin = end;
  }
  sink += 1;
}

int main(int argc, char** argv) {
  outermost((argc > 1 ? strtoull(argv[1], NULL, 10) : 500) * 1000000u);
  return 0;
}
