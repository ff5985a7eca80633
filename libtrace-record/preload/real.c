#include "real.h"

#include <dlfcn.h>

run_function run_reals[RUN_REALS];

static const char* const kNames[RUN_REALS] = {
#define CALL(group, name, bytes) #name,
#define VARIANT(name, of) #name,
#include "calls.def"
#undef CALL
#undef VARIANT
};

/* A program that calls a function which its C library does not have was not started. */
run_function run_find_real(enum run_real which) {
  union {
    void* address;
    run_function function;
  } found;
  found.address = dlsym(RTLD_NEXT, kNames[which]);
  if (found.address == 0) __builtin_trap();
  __atomic_store_n(&run_reals[which], found.function, __ATOMIC_RELAXED);
  return found.function;
}
