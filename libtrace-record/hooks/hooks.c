#define _GNU_SOURCE
#include "hooks.h"

#include <cpuid.h>
#include <pthread.h>
#include <string.h>

#include "../recorded/entry.h"
#include "../recorded/recording.h"
#include "count_table.h"
#include "handler.h"
#include "hooked_thread.h"
#include "import_table.h"
#include "loading.h"
#include "selection.h"
#include "stubs.h"

extern int run_has_xsave __attribute__((visibility("hidden")));

static enum run_hook_mode mode;
static int follows;

static enum run_hook_mode mode_of(const char* name) {
  if (name == NULL) return RUN_HOOKS_OFF;
  if (strcmp(name, "trace") == 0) return RUN_HOOKS_TRACE;
  if (strcmp(name, "time") == 0) return RUN_HOOKS_TIME;
  if (strcmp(name, "sample") == 0) return RUN_HOOKS_SAMPLE;
  return strcmp(name, "count") == 0 ? RUN_HOOKS_COUNT : RUN_HOOKS_OFF;
}

void run_hooks_prepare(const char* name) { mode = mode_of(name); }
int run_hooks_count(void) { return mode >= RUN_HOOKS_TIME; }
int run_has_hooks(void) { return mode != RUN_HOOKS_OFF; }
int run_hooks_begin_thread(int is_start) {
  if (run_hooks_count()) return run_counts_begin_thread(is_start);
  return mode == RUN_HOOKS_TRACE && run_begin_hooked_thread(is_start, 0, 0);
}

void run_hooks_name_thread(const char* name) {
  if (run_hooks_count()) run_counts_name_thread(name);
}

void run_hooks_session_opened(void) {
  for (uint32_t i = 0; i < run_import_count; ++i) run_name_import(&run_imports[i]);
  run_forget_begun_calls();
}

static void begin_child(void) {
  if (run_is_shut) return;
  run_hooked_thread_of_child();
  run_watch_loading_in_child();
  if (run_hooks_count()) run_counts_of_child(follows);
}

/* Sets run_has_tsc and run_has_xsave. Before anything is hooked. */
static void look_at_processor(void) {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  /* Invariant: one rate whatever the power state. */
  run_has_tsc = __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
  run_has_xsave = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_OSXSAVE) != 0;
}

void run_hooks_start(const char* globs, const char* folder, int follows_children) {
  if (mode == RUN_HOOKS_OFF || (mode == RUN_HOOKS_TRACE && run_session.writer == NULL)) return;
  follows = follows_children;
  look_at_processor();
  run_choose_stubs(mode);
  if (!run_watch_loading(folder)) return;
  pthread_atfork(NULL, NULL, begin_child);
  run_select_imports(globs, folder);
  run_is_sampling = mode == RUN_HOOKS_SAMPLE;
  if (run_hooks_count()) run_counts_start(folder, mode != RUN_HOOKS_COUNT);
  run_hooks_begin_thread(1);
  run_hook_new_objects();
}

void run_hooks_end(void) {
  if (run_hooks_count()) run_counts_note_time();
}

void run_hooks_stop(void) {
  if (run_hooks_count()) run_counts_stop();
}

void run_hooks_go_on(void) {
  if (run_hooks_count()) run_counts_go_on();
}
