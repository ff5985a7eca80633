#include "processor.h"

#include <cpuid.h>

#include "handler.h"

extern int run_has_xsave __attribute__((visibility("hidden")));

void run_look_at_processor(void) {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  /* Invariant: one rate whatever the power state. */
  run_has_tsc = __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
  run_has_xsave = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_OSXSAVE) != 0;
}
