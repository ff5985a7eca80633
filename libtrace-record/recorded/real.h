/* The functions of the C library behind the wrappers. */
#ifndef EVT_RECORD_REAL_H_
#define EVT_RECORD_REAL_H_

/* The first version of the C library's functions on x86-64. */
#define RUN_FIRST_VERSION "GLIBC_2.2.5"

enum run_real {
#define CALL(group, name, bytes) RUN_REAL_##name,
#define VARIANT(name, of) RUN_REAL_##name,
#define PASSED(name) RUN_REAL_##name,
#define OLDER(name, newer) RUN_REAL_run_older_##name,
#include "calls.def"
  RUN_REALS,
};

typedef void (*run_function)(void);

/* Those that have been looked for. */
extern run_function run_reals[RUN_REALS];

/* Looks for one. Any thread, also before this library is initialised, as constructors of others call wrappers. */
run_function run_find_real(enum run_real which);

/* Looks for all of them; those that this C library does not have stay unknown. Called by the constructor. */
void run_find_reals(void);
/* True if another library that is loaded first has a function of this name, which calls the C library's. A wrapper that
 * calls a different function would bypass it. */
int run_is_between(enum run_real which);
/* The C library's own, whatever is between: for calls that the program did not make. */
run_function run_own(enum run_real which);
/* The function that the wrapper of this name and at this address wraps; NULL: none, or not found. */
run_function run_real_of(const char* name, run_function wrapper);

static inline run_function run_real(enum run_real which) {
  const run_function real = __atomic_load_n(&run_reals[which], __ATOMIC_RELAXED);
  return __builtin_expect(real != 0, 1) ? real : run_find_real(which);
}

/* The function itself: the headers that declare it must be included. */
#define REAL(name) ((__typeof__(&(name)))run_real(RUN_REAL_##name))
#define OWN(name) ((__typeof__(&(name)))run_own(RUN_REAL_##name))

#endif /* EVT_RECORD_REAL_H_ */
