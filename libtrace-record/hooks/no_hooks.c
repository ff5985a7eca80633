/* For machines without a trampoline: evt run refuses to hook. */
#include "hooks.h"

void run_hooks_prepare(const char* mode) { (void)mode; }
int run_hooks_count(void) { return 0; }
void run_hooks_start(const char* globs, const char* folder, int follows_children) {
  (void)globs;
  (void)folder;
  (void)follows_children;
}
void run_hooks_session_opened(void) {}
int run_has_hooks(void) { return 0; }
int run_hooks_begin_thread(int is_start) {
  (void)is_start;
  return 0;
}
void run_hooks_name_thread(const char* name) { (void)name; }
void run_hooks_end(void) {}
void run_hooks_stop(void) {}
void run_hooks_go_on(void) {}
