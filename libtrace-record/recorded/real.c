#include "real.h"

#include <dlfcn.h>
#include <string.h>

run_function run_reals[RUN_REALS];

static const char* const kNames[RUN_REALS] = {
#define CALL(group, name, bytes) #name,
#define VARIANT(name, of) #name,
#include "calls.def"
#undef CALL
#undef VARIANT
};

static run_function find(enum run_real which) {
  union {
    void* address;
    run_function function;
  } found;
  found.address = dlsym(RTLD_NEXT, kNames[which]);
  __atomic_store_n(&run_reals[which], found.function, __ATOMIC_RELAXED);
  return found.function;
}

/* A program that calls a function which its C library does not have was not started. */
run_function run_find_real(enum run_real which) {
  const run_function found = find(which);
  if (found == 0) __builtin_trap();
  return found;
}

void run_find_reals(void) {
  for (int i = 0; i < RUN_REALS; ++i) {
    if (run_reals[i] == 0) find((enum run_real)i);
  }
}

run_function run_real_of(const char* name) {
  for (int i = 0; i < RUN_REALS; ++i) {
    if (strcmp(kNames[i], name) == 0) return run_reals[i];
  }
  return 0;
}
