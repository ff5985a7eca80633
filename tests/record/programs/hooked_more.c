#include "hooked.h"

long more_add(long a, long b) { return a + b; }

int more_odd(long number) {
  if (number == 0) return 0;
  return lib_even(number - 1);
}
