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

static run_function find_in(void* where, enum run_real which) {
  union {
    void* address;
    run_function function;
  } found;
  found.address = dlsym(where, kNames[which]);
  __atomic_store_n(&run_reals[which], found.function, __ATOMIC_RELAXED);
  return found.function;
}

/* C libraries before 2.34 have forkpty() in another one, which a plugin may have loaded for itself alone. */
static run_function find_in_loaded(const char* library, enum run_real which) {
  void* const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD); /* stays loaded */
  return handle != NULL ? find_in(handle, which) : 0;
}

/* A program that calls a function which its C library does not have was not started. */
run_function run_find_real(enum run_real which) {
  run_function found = find_in(RTLD_NEXT, which);
  if (found == 0) found = find_in_loaded("libutil.so.1", which);
  if (found == 0) __builtin_trap();
  return found;
}

void run_find_reals(void) {
  for (int i = 0; i < RUN_REALS; ++i) {
    if (run_reals[i] == 0) find_in(RTLD_NEXT, (enum run_real)i);
  }
}

run_function run_real_of(const char* name) {
  for (int i = 0; i < RUN_REALS; ++i) {
    if (strcmp(kNames[i], name) == 0) return run_reals[i];
  }
  return 0;
}
