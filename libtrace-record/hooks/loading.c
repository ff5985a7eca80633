#define _GNU_SOURCE
#include "loading.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../recorded/entry.h"
#include "../recorded/held.h"
#include "../recorded/lock.h"
#include "../recorded/real.h"
#include "call_stack.h"
#include "objects.h"

/* In the trampolines' file; each asks run_choose_* where it is to jump. */
void run_dlopen(void);
void run_dlsym(void);
void run_dlvsym(void);
run_function run_choose_dlopen(const char* file, int flags, const void* caller);
run_function run_choose_dlsym(void);
run_function run_choose_dlvsym(void);

static struct {
  const char* name;
  run_function instead;
  run_function real;
} functions[] = {{"dlopen", run_dlopen, NULL}, {"dlsym", run_dlsym, NULL}, {"dlvsym", run_dlvsym, NULL}};
enum { kOpen, kSymbol, kVersionedSymbol, kFunctions };

static char folder[PATH_MAX];
static run_lock lock;
static unsigned long long loaded; /* objects, when it was looked at last */

int run_watch_loading(const char* where) {
  snprintf(folder, sizeof folder, "%s", where);
  for (int i = 0; i < kFunctions; ++i) {
    functions[i].real = (run_function)(uintptr_t)dlsym(RTLD_NEXT, functions[i].name);
    if (functions[i].real == NULL) return 0;
  }
  return 1;
}

void run_watch_loading_in_child(void) { lock = 0; }

/* A function of that name in another library stays: it calls the loader's itself. */
static run_function instead(const char* name, run_function function) {
  for (int i = 0; i < kFunctions; ++i) {
    if (strcmp(functions[i].name, name) != 0) continue;
    return function == functions[i].real ? functions[i].instead : function;
  }
  return NULL;
}

/* For evt run, which prints a sentence. */
static void note(const char* what) {
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/unhooked.%s", folder, what);
  const int made = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (made >= 0) close(made);
}

static int count_loaded(struct dl_phdr_info* info, size_t size, void* count) {
  (void)size;
  *(unsigned long long*)count = info->dlpi_adds;
  return 1;
}

void run_hook_new_objects(void) {
  unsigned long long now = 0;
  dl_iterate_phdr(count_loaded, &now);
  if (now == __atomic_load_n(&loaded, __ATOMIC_ACQUIRE)) return;
  if (!run_enter()) return;
  struct run_held held; /* a handler may look for symbols, too */
  run_hold(&held);
  ++run_hooked.inside;
  run_take(&lock);
  const unsigned left_out = run_hook_imports(instead);
  __atomic_store_n(&loaded, now, __ATOMIC_RELEASE);
  run_give(&lock);
  if (left_out & RUN_TOO_MANY_IMPORTS) note("imports");
  if (left_out & RUN_NO_CODE_MEMORY) note("code");
  --run_hooked.inside;
  run_let_go(&held);
  run_leave();
}

static void* open_and_hook(const char* file, int flags) {
  void* (*const open_object)(const char*, int) = (void* (*)(const char*, int))functions[kOpen].real;
  void* const handle = open_object(file, flags);
  if (handle != NULL) run_hook_new_objects();
  return handle;
}

/* A file name without a path is searched in the directories of the calling object. */
static int has_search_path(const void* address) {
  Dl_info info;
  void* found = NULL;
  if (dladdr1(address, &info, &found, RTLD_DL_LINKMAP) == 0 || found == NULL) return 1;
  for (const ElfW(Dyn)* entry = ((struct link_map*)found)->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_RPATH || entry->d_tag == DT_RUNPATH) return 1;
  }
  return 0;
}

/* Hooks what it loads before a symbol of it is found, on machines where it must be jumped to. */
run_function run_choose_dlopen(const char* file, int flags, const void* caller) {
  (void)flags;
  run_hook_new_objects();
  if (file == NULL) return functions[kOpen].real;
  const int is_path = strchr(file, '/') != NULL && strchr(file, '$') == NULL;
  return is_path || !has_search_path(caller) ? (run_function)open_and_hook : functions[kOpen].real;
}

run_function run_choose_dlsym(void) {
  run_hook_new_objects();
  return functions[kSymbol].real;
}

run_function run_choose_dlvsym(void) {
  run_hook_new_objects();
  return functions[kVersionedSymbol].real;
}
