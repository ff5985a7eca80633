/* Wrappers of what begins and ends threads. */
#define _GNU_SOURCE
#include "threads.h"

#include <pthread.h>
#include <sched.h>

#include "../hooks/hooks.h"
#include "../recorded/entry.h"
#include "../recorded/held.h"
#include "calls.h"

static const struct run_object kThread = {0, RUN_THREAD};

/* What a new thread is to do, until it has read that: few are needed at a time, and none is allocated. */
struct start {
  int in_use;
  void* (*function)(void* argument);
  void* argument;
};
enum { kStarts = 64 };
static struct start starts[kStarts];

static struct start* take_start(void) {
  for (unsigned i = 0;; ++i) {
    struct start* const start = &starts[i % kStarts];
    if (!__atomic_exchange_n(&start->in_use, 1, __ATOMIC_ACQUIRE)) return start;
    if (i % kStarts == kStarts - 1) sched_yield();
  }
}

static void give_start(struct start* start) { __atomic_store_n(&start->in_use, 0, __ATOMIC_RELEASE); }

void run_forget_starts(void) {
  for (unsigned i = 0; i < kStarts; ++i) give_start(&starts[i]);
}

/* The stream is opened before any function of the program runs in the thread, and no signal handler of it either. */
static void* begin(void* given) {
  struct start* const start = given;
  void* (*const function)(void*) = start->function;
  void* const argument = start->argument;
  give_start(start);
  if (!run_enter()) return function(argument);
  struct run_held held;
  run_hold(&held);
  run_hooks_begin_thread(1);
  if (run_session.writer != NULL) run_begin_thread(1);
  run_let_go(&held);
  run_leave();
  return function(argument);
}

RUN_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                              void* argument) {
  if (run_stream() == NULL && (!run_hooks_count() || run_is_shut)) {
    return REAL(pthread_create)(thread, attributes, function, argument);
  }
  const struct run_recorded call = run_begin(RUN_pthread_create, kThread, 0);
  struct start* const start = take_start();
  start->function = function;
  start->argument = argument;
  const int result = REAL(pthread_create)(thread, attributes, begin, start);
  if (result != 0) give_start(start);
  run_end(&call, 0);
  return result;
}

RUN_WRAP(int, pthread_join, pthread_join, (pthread_t thread, void** result_of), (thread, result_of), kThread, 0, 0)

RUN_EXPORT int pthread_setname_np(pthread_t thread, const char* name) {
  const struct run_recorded call = run_begin(RUN_pthread_setname_np, kThread, 0);
  const int result = REAL(pthread_setname_np)(thread, name);
  run_end(&call, 0);
  if (result == 0 && pthread_equal(thread, pthread_self())) {
    run_hooks_name_thread(name);
    run_name_thread(name);
  }
  return result;
}
