/* What the program of hooked calls imports, from two libraries and a plugin. */
#ifndef EVT_TESTS_HOOKED_H_
#define EVT_TESTS_HOOKED_H_

#include <setjmp.h>

#ifdef __cplusplus
extern "C" {
#endif

struct large {
  long values[10];
};
struct mixed {
  double first;
  long second;
};

long lib_add(long a, long b);
void lib_call(void (*function)(int), int argument);
void lib_throw(int depth);
void lib_jump(jmp_buf to, int depth);
long lib_many(long a, long b, long c, long d, long e, long f, double x, long g, long h, double y, long i);
long double lib_long_double(long double value, int times);
struct large lib_large(int factor);
struct mixed lib_mixed(double first, long second);
double _Complex lib_complex(double real, double imaginary);
double lib_sum(int count, ...);
int lib_frames(void);
int lib_even(long number); /* jumps to more_odd, which jumps back */
int more_odd(long number);
int lib_resolved(void); /* an IFUNC */
int lib_versioned(void);
long more_add(long a, long b);
long plugin_add(long a, long b); /* calls more_add */

#ifdef __cplusplus
}
#endif

#endif /* EVT_TESTS_HOOKED_H_ */
