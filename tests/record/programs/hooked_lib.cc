#include <execinfo.h>

#include <cstdarg>
#include <stdexcept>
#include <string>

#include "hooked.h"

namespace {

int resolved() { return 17; }

}  // namespace

extern "C" {

long lib_add(long a, long b) { return a + b; }

void lib_call(void (*function)(int), int argument) {
  const std::string on_the_stack(40, 'x');  // destroyed by exceptions
  function(argument);
}

void lib_throw(int depth) {
  if (depth == 0) throw std::runtime_error("thrown");
  lib_throw(depth - 1);
}

void lib_jump(jmp_buf to, int depth) {
  if (depth == 0) longjmp(to, 1);
  lib_jump(to, depth - 1);
}

long lib_many(long a, long b, long c, long d, long e, long f, double x, long g, long h, double y, long i) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + static_cast<long>(10 * x + 100 * y);
}

long double lib_long_double(long double value, int times) { return value * times; }

large lib_large(int factor) {
  large result;
  for (int i = 0; i < 10; ++i) result.values[i] = static_cast<long>(factor) * i;
  return result;
}

mixed lib_mixed(double first, long second) { return {first * 2, second * 2}; }

double _Complex lib_complex(double real, double imaginary) {
  double _Complex number;
  __real__ number = real;
  __imag__ number = imaginary;
  return number;
}

double lib_sum(int count, ...) {
  va_list values;
  va_start(values, count);
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += va_arg(values, double);
  va_end(values);
  return sum;
}

int lib_frames() {
  void* frames[32];
  return backtrace(frames, 32);
}

int lib_even(long number) {
  if (number == 0) return 1;
  return more_odd(number - 1);
}

__attribute__((used, visibility("hidden"))) int (*resolve())() { return resolved; }
int lib_resolved() __attribute__((ifunc("resolve")));

int lib_versioned_1() { return 1; }
int lib_versioned_2() { return 2; }
__asm__(".symver lib_versioned_1, lib_versioned@HOOKED_1");
__asm__(".symver lib_versioned_2, lib_versioned@@HOOKED_2");
}
