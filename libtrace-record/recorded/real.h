/* The functions of the C library behind the wrappers. */
#ifndef EVT_RECORD_REAL_H_
#define EVT_RECORD_REAL_H_

enum run_real {
#define CALL(group, name, bytes) RUN_REAL_##name,
#define VARIANT(name, of) RUN_REAL_##name,
#include "calls.def"
#undef CALL
#undef VARIANT
  RUN_REALS,
};

typedef void (*run_function)(void);

/* Those that have been looked for. */
extern run_function run_reals[RUN_REALS];

/* Looks for one. Any thread, also before this library is initialised, as constructors of others call wrappers. */
run_function run_find_real(enum run_real which);

/* Looks for all of them; those that this C library does not have stay unknown. */
void run_find_reals(void);
/* One of these, by its name; NULL: it is none, or was not found. */
run_function run_real_of(const char* name);

static inline run_function run_real(enum run_real which) {
  const run_function real = __atomic_load_n(&run_reals[which], __ATOMIC_RELAXED);
  return __builtin_expect(real != 0, 1) ? real : run_find_real(which);
}

/* The function itself: the headers that declare it must be included. */
#define REAL(name) ((__typeof__(&(name)))run_real(RUN_REAL_##name))

#endif /* EVT_RECORD_REAL_H_ */
