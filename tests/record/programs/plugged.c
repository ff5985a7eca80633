/* A library with one function, of its own name. */
#include <stdint.h>

void PLUGGED(void (*burn)(uint64_t), uint64_t ms);

static volatile int after;

void PLUGGED(void (*burn)(uint64_t), uint64_t ms) {
  burn(ms);
  ++after;
}
