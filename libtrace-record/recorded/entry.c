#define _GNU_SOURCE
#include "entry.h"

#include <time.h>

int run_is_shut;
unsigned run_inside;

void run_shut(void) { __atomic_store_n(&run_is_shut, 1, __ATOMIC_SEQ_CST); }

void run_await_others(void) {
  enum { kPauses = 10000 };
  const struct timespec pause = {0, 100000};
  for (int i = 0; i < kPauses && __atomic_load_n(&run_inside, __ATOMIC_SEQ_CST) != 0; ++i) nanosleep(&pause, NULL);
}

void run_open(void) { __atomic_store_n(&run_is_shut, 0, __ATOMIC_SEQ_CST); }
void run_entry_of_child(void) { run_inside = 0; }
