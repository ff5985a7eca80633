/* Wrappers of functions that begin and end threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>

#include "../hooks/hooks.h"
#include "../recorded/aside.h"
#include "../recorded/entry.h"
#include "calls.h"
#include "sampling.h"
#include "session.h"
#include "spool.h"

static const struct run_object kThread = {0, RUN_THREAD};

/* The start function of a new thread, until it has read it. Few are needed at a time; more when threads have to wait
 * for their turn, because the thread that makes them must not wait. */
struct start {
  int in_use;
  void* (*function)(void* argument);
  void* argument;
  size_t stack; /* bytes that it has at least */
};
enum { kStarts = 64, kCallersOfStart = 1 << 10 };
struct starts {
  struct start all[kStarts];
  struct starts* more;
};
static struct starts first_starts;

static struct starts* more_than(struct starts* starts) {
  struct starts* more = __atomic_load_n(&starts->more, __ATOMIC_ACQUIRE);
  if (more != NULL) return more;
  void* const made = mmap(NULL, sizeof *more, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return NULL;
  if (__atomic_compare_exchange_n(&starts->more, &more, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
  munmap(made, sizeof *more);
  return more;
}

/* NULL: there is no memory. */
static struct start* take_start(void) {
  for (struct starts* starts = &first_starts; starts != NULL; starts = more_than(starts)) {
    for (unsigned i = 0; i < kStarts; ++i) {
      if (!__atomic_exchange_n(&starts->all[i].in_use, 1, __ATOMIC_ACQUIRE)) return &starts->all[i];
    }
  }
  return NULL;
}

static void give_start(struct start* start) { __atomic_store_n(&start->in_use, 0, __ATOMIC_RELEASE); }

void run_forget_starts(void) {
  for (struct starts* starts = &first_starts; starts != NULL; starts = starts->more) {
    for (unsigned i = 0; i < kStarts; ++i) give_start(&starts->all[i]);
  }
}

static void begin_aside(void* nothing) {
  (void)nothing;
  run_hooks_begin_thread(1);
  if (run_session.writer != NULL) run_begin_thread(1);
}

/* The stream is opened before any function of the program runs in the thread, and no signal handler of it either. */
static void* begin(void* given) {
  struct start* const start = given;
  void* (*const function)(void*) = start->function;
  void* const argument = start->argument;
  run_note_stack((const char*)__builtin_frame_address(0) + kCallersOfStart, start->stack);
  give_start(start);
  if (!run_enter()) return function(argument);
  run_aside(begin_aside, NULL);
  run_sample_thread();
  run_leave();
  return function(argument);
}

/* Without what the C library keeps of the thread at its top. */
static size_t stack_of(const pthread_attr_t* attributes) {
  const size_t kept = (size_t)32 << 10;
  size_t size = 0;
  pthread_attr_t usual;
  if (attributes != NULL) {
    pthread_attr_getstacksize(attributes, &size);
  } else if (pthread_attr_init(&usual) == 0) {
    pthread_attr_getstacksize(&usual, &size);
    pthread_attr_destroy(&usual);
  }
  return size > kept ? size - kept : 0;
}

RUN_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                              void* argument) {
  if (run_stream() == NULL && (!run_hooks_count() || run_is_shut)) {
    return REAL(pthread_create)(thread, attributes, function, argument);
  }
  const struct run_recorded call = run_begin(RUN_pthread_create, kThread, 0);
  struct start* const start = take_start();
  if (start != NULL) {
    start->function = function;
    start->argument = argument;
    start->stack = stack_of(attributes);
  }
  const int result = start != NULL ? REAL(pthread_create)(thread, attributes, begin, start)
                                   : REAL(pthread_create)(thread, attributes, function, argument); /* not recorded */
  if (result != 0 && start != NULL) give_start(start);
  run_end(&call, 0);
  return result;
}

/* The system's number of a thread, which the id of its clock has in it; 0: it has ended. */
static uint64_t number_of(pthread_t thread) {
  clockid_t clock;
  return pthread_getcpuclockid(thread, &clock) == 0 ? (uint64_t) ~(clock >> 3) : 0;
}

RUN_WRAP_BEGUN(int, pthread_join, (pthread_t thread, void** result_of), (thread, result_of),
               run_begin_wait(RUN_pthread_join, kThread, run_stream() != NULL ? number_of(thread) : 0), 0)

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
