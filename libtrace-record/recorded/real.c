#define _GNU_SOURCE
#include "real.h"

#include <dlfcn.h>
#include <string.h>

run_function run_reals[RUN_REALS];
static run_function owns[RUN_REALS]; /* the C library's; NULL: not looked for */

/* Wrappers of older versions. */
#define OLDER(name, newer) void run_older_##name(void);
#include "calls.def"

static const struct {
  const char* name;
  const char* newer;    /* NULL: it has one version, or several with the same code */
  run_function wrapper; /* the older version's */
} kReals[RUN_REALS] = {
#define CALL(group, name, bytes) {#name, NULL, NULL},
#define VARIANT(name, of) {#name, NULL, NULL},
#define PASSED(name) {#name, NULL, NULL},
#define OLDER(name, newer) {#name, newer, run_older_##name},
#include "calls.def"
};

/* A library that is loaded before the C library and has the name without a version answers for all versions. */
static void* find_older(void* where, const char* name, const char* newer) {
  void* const next = dlsym(where, name);
  return next == dlvsym(where, name, newer) ? dlvsym(where, name, RUN_FIRST_VERSION) : next;
}

static run_function address_in(void* where, enum run_real which) {
  const char* const name = kReals[which].name;
  const char* const newer = kReals[which].newer;
  union {
    void* address;
    run_function function;
  } found;
  found.address = newer != NULL ? find_older(where, name, newer) : dlsym(where, name);
  return found.function;
}

static run_function find_in(void* where, enum run_real which) {
  const run_function found = address_in(where, which);
  __atomic_store_n(&run_reals[which], found, __ATOMIC_RELAXED);
  return found;
}

/* C libraries before 2.34 have forkpty() in a separate library, which a plugin may have loaded for itself. */
static run_function find_in_loaded(const char* library, enum run_real which) {
  void* const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD); /* stays loaded */
  return handle != NULL ? find_in(handle, which) : NULL;
}

/* A program that calls a function which its C library does not have was not started. */
run_function run_find_real(enum run_real which) {
  run_function found = find_in(RTLD_NEXT, which);
  if (found == NULL) found = find_in_loaded("libutil.so.1", which);
  if (found == NULL) __builtin_trap();
  return found;
}

void run_find_reals(void) {
  /* C libraries before 2.34 have some in the library of threads. */
  void* const c_library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  void* const threads = dlopen("libpthread.so.0", RTLD_LAZY | RTLD_NOLOAD);
  for (int i = 0; i < RUN_REALS; ++i) {
    const enum run_real which = (enum run_real)i;
    if (run_reals[i] == NULL && find_in(RTLD_NEXT, which) == NULL) continue;
    if (threads != NULL) owns[i] = address_in(threads, which);
    if (owns[i] == NULL && c_library != NULL) owns[i] = address_in(c_library, which);
  }
  if (threads != NULL) dlclose(threads);
  if (c_library != NULL) dlclose(c_library);
  dlerror(); /* clears errors about functions that were not found: the program must not see them */
}

run_function run_own(enum run_real which) { return owns[which] != NULL ? owns[which] : run_real(which); }

int run_is_between(enum run_real which) { return owns[which] != NULL && owns[which] != run_reals[which]; }

run_function run_real_of(const char* name, run_function wrapper) {
  run_function real = NULL;
  for (int i = 0; i < RUN_REALS; ++i) {
    if (kReals[i].wrapper == wrapper) return run_reals[i];
    if (kReals[i].wrapper == NULL && strcmp(kReals[i].name, name) == 0) real = run_reals[i];
  }
  return real;
}
