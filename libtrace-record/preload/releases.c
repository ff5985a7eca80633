/* Wrappers of calls that end the waits of other threads. */
#define _GNU_SOURCE
#include "releases.h"

#include <evt/emit_events.h>
#include <semaphore.h>

#include "calls.h"
#include "lock_words.h"

static __attribute__((noinline)) void release(const void* object) {
  evt_stream* const stream = run_stream();
  if (stream == NULL) return;
  const int error = errno;
  evt_emit_u64_(stream, run_session.release, (uint64_t)(uintptr_t)object);
  errno = error;
}

static unsigned own_number(void) { return (unsigned)run_thread.system_number; }

void run_release_mutex(const pthread_mutex_t* lock) {
  if (run_mutex_is_awaited(lock) && run_mutex_is_left(lock, own_number())) release(lock);
}

RUN_EXPORT int pthread_mutex_unlock(pthread_mutex_t* lock) {
  if (__builtin_expect(run_mutex_may_be_awaited(lock), 0)) run_release_mutex(lock);
  return REAL(pthread_mutex_unlock)(lock);
}

/* Where a condition variable counts those that wait, above three flags: versions of the C library differ. 0: not known.
 */
static unsigned condition_word;

__attribute__((constructor)) static void find_condition_word(void) {
  enum { CLOCK_FLAG = 2, OLDER = 9, NEWER = 7 };
  pthread_condattr_t attributes;
  union {
    pthread_cond_t condition;
    unsigned words[sizeof(pthread_cond_t) / sizeof(unsigned)];
  } made = {.words = {0}};
  if (pthread_condattr_init(&attributes) != 0) return;
  if (pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
      pthread_cond_init(&made.condition, &attributes) == 0) {
    if (made.words[OLDER] == CLOCK_FLAG) condition_word = OLDER;
    if (made.words[NEWER] == CLOCK_FLAG) condition_word = made.words[OLDER] == CLOCK_FLAG ? 0 : NEWER;
  }
  pthread_condattr_destroy(&attributes);
}

static int condition_is_awaited(const pthread_cond_t* condition) {
  const unsigned* const words = (const unsigned*)(const void*)condition;
  return condition_word != 0 && RUN_WORD(words[condition_word]) >> 3 != 0;
}

/* The first words of a barrier: how many threads have come, how many of them before this round, and how many it waits
 * for. Versions of the C library differ. */
enum { BARRIER_CAME, BARRIER_CAME_BEFORE, BARRIER_COUNT, BARRIER_OTHERS };
static int knows_barriers;

__attribute__((constructor)) static void look_at_a_barrier(void) {
  enum { COUNT = 5 };
  union {
    pthread_barrier_t barrier;
    unsigned words[sizeof(pthread_barrier_t) / sizeof(unsigned)];
  } made = {.words = {0}};
  if (pthread_barrier_init(&made.barrier, NULL, COUNT) != 0) return;
  knows_barriers = made.words[BARRIER_CAME] == 0 && made.words[BARRIER_CAME_BEFORE] == 0 &&
                   made.words[BARRIER_COUNT] == COUNT && made.words[BARRIER_OTHERS] != COUNT;
  pthread_barrier_destroy(&made.barrier);
}

void run_release_barrier(const pthread_barrier_t* barrier) {
  const unsigned* const words = (const unsigned*)(const void*)barrier;
  const unsigned count = RUN_WORD(words[BARRIER_COUNT]);
  if (!knows_barriers || count < 2) return;
  const unsigned waiting = RUN_WORD(words[BARRIER_CAME]) - RUN_WORD(words[BARRIER_CAME_BEFORE]);
  if (waiting + 1 == count) release(barrier);
}

#define WRAP_RELEASE(name, type, is_awaited)              \
  RUN_EXPORT int name(type* object) {                     \
    if (__builtin_expect(is_awaited, 0)) release(object); \
    return REAL(name)(object);                            \
  }

WRAP_RELEASE(pthread_rwlock_unlock, pthread_rwlock_t, run_rwlock_is_awaited(object, own_number()))
WRAP_RELEASE(sem_post, sem_t, run_semaphore_is_awaited(object))
WRAP_RELEASE(pthread_cond_signal, pthread_cond_t, condition_is_awaited(object))
WRAP_RELEASE(pthread_cond_broadcast, pthread_cond_t, condition_is_awaited(object))

/* The first pthread_cond_t is one pointer wide: what it refers to is not looked at. */
#if defined(__x86_64__)
#define PASS_OLDER(name)                                                \
  __asm__(".symver run_older_" #name ", " #name "@" RUN_FIRST_VERSION); \
  int run_older_##name(pthread_cond_t* condition);                      \
  RUN_EXPORT int run_older_##name(pthread_cond_t* condition) { return REAL(run_older_##name)(condition); }

PASS_OLDER(pthread_cond_signal)
PASS_OLDER(pthread_cond_broadcast)
#endif
