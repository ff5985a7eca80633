/* Compiled with only general registers: the others hold arguments and results of the hooked function. Callees must not
 * touch them either: the writer's slow halves are reached through run_saving_*. */
#define evt_begin_slow_ run_saving_begin
#define evt_room_slow_ run_saving_room
#define evt_commit_slow_ run_saving_commit
#define evt_reentered_ run_saving_reentered
#define evt_clock_slow_ run_saving_clock
/* For a function that is not called here. */
#define __builtin_ia32_lfence() __asm__ volatile("lfence")
#include "handler.h"

#include <evt/emit.h>

#include "../recorded/entry.h"
#include "../recorded/recording.h"
#include "../recorded/thread_stream.h"
#include "count_file.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define INLINE static inline __attribute__((always_inline))

__thread struct run_hooked run_hooked;
int run_has_tsc;
int run_is_sampling;

/* In one instruction: a signal handler that interrupts it may add, too. */
INLINE void add(uint64_t* to, uint64_t value) { __asm__("addq %1, %0" : "+m"(*to) : "er"(value) : "cc"); }

INLINE uint64_t now(void) { return LIKELY(run_has_tsc) ? __builtin_ia32_rdtsc() : run_saving_now(); }

/* How calls of a mode are handled. */
struct kind {
  uintptr_t back;                            /* address to which functions return */
  void (*leave)(struct run_open_call* call); /* it has been left, as far as is known; once or several times */
};

INLINE uint32_t home_of(uintptr_t stack) { return (uint32_t)((stack >> 4) * 0x9E3779B97F4A7C15u >> 32); }
INLINE uintptr_t place_of(const struct run_open_call* call) { return ~call->depth; }

/* Lists are changed by one store: a signal handler that calls hooked functions in between loses an entry at most. */
INLINE void give(struct run_hooked* thread, struct run_open_call* call) {
  call->depth = 0;
  call->below = thread->free;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  thread->free = call;
}

/* The place has had another return address since: the call will not return. */
INLINE int is_over(const struct run_open_call* call, const struct kind* kind) {
  return *(const uintptr_t*)place_of(call) != kind->back;
}

/* Keeps one that is no longer in the list. Without room it is kept for good. */
static void keep_left(struct run_hooked* thread, struct run_open_call* call, const struct kind* kind) {
  const uint32_t home = home_of(place_of(call));
  for (unsigned probe = 0; probe < RUN_PROBES; ++probe) {
    struct run_open_call** const slot = &thread->left[(home + probe) % RUN_LEFT];
    struct run_open_call* const other = *slot;
    if (other != NULL && other->depth != call->depth && !is_over(other, kind)) continue;
    *slot = call;
    if (other != NULL) give(thread, other);
    return;
  }
}

static void forget_left(struct run_hooked* thread, const struct run_open_call* call) {
  const uint32_t home = home_of(place_of(call));
  for (unsigned probe = 0; probe < RUN_PROBES; ++probe) {
    struct run_open_call** const slot = &thread->left[(home + probe) % RUN_LEFT];
    if (*slot == call) *slot = NULL;
  }
}

/* Removes the deepest from the list. `stack`: the place of the next return address, or 0. */
static __attribute__((noinline)) void drop_top(struct run_hooked* thread, uintptr_t stack, const struct kind* kind) {
  struct run_open_call* call = thread->top;
  /* A signal handler may have done it. */
  if (!__atomic_compare_exchange_n(&thread->top, &call, call->below, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
  kind->leave(call);
  call->below = NULL;
  if (place_of(call) == stack || is_over(call, kind)) {
    give(thread, call);
  } else {
    keep_left(thread, call, kind);
  }
}

/* For a stack other than the thread's own. An entry of the same place was left, by an exception or a jump. */
INLINE struct run_open_call* take_elsewhere(const struct run_hooked* thread, uintptr_t stack, const struct kind* kind) {
  const uint32_t home = home_of(stack);
  struct run_open_call* free = NULL;
  for (unsigned probe = 0; probe < RUN_PROBES; ++probe) {
    struct run_open_call* const call = &thread->elsewhere[(home + probe) % RUN_ELSEWHERE];
    if (call->depth == RUN_DEPTH_OF(stack)) {
      kind->leave(call);
      return call;
    }
    if (call->depth == 0 && free == NULL) free = call;
  }
  return free;
}

/* An entry for a call whose return address is at `stack`; NULL: none is free. Until fill() its depth marks it as free,
 * so that a signal handler drops nothing. */
INLINE struct run_open_call* take(struct run_hooked* thread, uintptr_t stack, const struct kind* kind) {
  if (UNLIKELY(stack - thread->stack_low >= thread->stack_size)) return take_elsewhere(thread, stack, kind);
  while (UNLIKELY(thread->top->depth >= RUN_DEPTH_OF(stack))) drop_top(thread, stack, kind);
  struct run_open_call* call = thread->free;
  if (LIKELY(call != NULL)) {
    thread->free = call->below;
  } else {
    call = thread->unused;
    if (UNLIKELY(call == thread->first + RUN_DEPTH)) return NULL;
    thread->unused = call + 1;
  }
  call->below = thread->top;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  thread->top = call;
  return call;
}

INLINE void fill(struct run_open_call* call, const uintptr_t* returns, const struct run_open_call* rbx,
                 uint32_t import) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  call->returns = *returns;
  call->unwinds = *returns - 1;
  call->rbx = (uintptr_t)rbx;
  call->import = import;
  call->depth = RUN_DEPTH_OF(returns);
}

/* One that was taken for left returns. */
static __attribute__((noinline)) void release_late(struct run_hooked* thread, struct run_open_call* call,
                                                   const struct kind* kind) {
  const struct run_open_call* open = thread->top;
  while (open != NULL && open != call) open = open->below;
  if (open == NULL) {
    forget_left(thread, call);
    give(thread, call);
    return;
  }
  /* Calls made in it that have not returned were left, too. */
  while (thread->top != call) drop_top(thread, 0, kind);
  thread->top = call->below;
  give(thread, call);
}

INLINE void release(struct run_hooked* thread, struct run_open_call* call, const struct kind* kind) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (UNLIKELY((uintptr_t)call - (uintptr_t)thread->first >= RUN_DEPTH * sizeof *call)) {
    call->depth = 0;
    return;
  }
  if (UNLIKELY(thread->top != call)) {
    release_late(thread, call, kind);
    return;
  }
  thread->top = call->below;
  give(thread, call);
}

/* Tracing. */

INLINE void record_begin(struct run_open_call* call, evt_stream* stream) {
  const struct run_import* const import = &run_imports[call->import];
  evt_row row = evt_begin(stream, run_session.import_begin);
  call->is_recorded = row.p != NULL;
  if (row.p == NULL) return;
  evt_u32(&row, import->name_text);
  evt_u32(&row, import->library_text);
  evt_commit(&row);
}

INLINE void record_end(const struct run_open_call* call) {
  evt_stream* const stream = run_thread.stream;
  if (UNLIKELY(!call->is_recorded || stream == NULL || run_thread.session != run_session.number)) return;
  evt_row row = evt_begin(stream, run_session.import_end);
  if (row.p == NULL) return;
  evt_u32(&row, run_imports[call->import].name_text);
  evt_commit(&row);
}

static void leave_traced(struct run_open_call* call) {
  record_end(call);
  call->is_recorded = 0;
}

INLINE struct kind traced(void) { return (struct kind){(uintptr_t)run_back_trace, leave_traced}; }

struct run_entered run_entered_trace(uint32_t import, uintptr_t* returns, struct run_open_call* rbx) {
  struct run_hooked* const thread = &run_hooked;
  struct run_entered entered = {NULL, run_imports[import].function};
  evt_stream* const stream = run_thread.stream;
  if (UNLIKELY(stream == NULL || thread->top == NULL || thread->inside)) return entered;
  if (UNLIKELY(run_thread.session != run_session.number)) return entered;
  if (UNLIKELY(run_thread.after_vfork) && run_saving_vfork()) return entered;
  const struct kind kind = traced();
  if (UNLIKELY(*returns == kind.back)) {
    /* A function that jumps to another has ended, and the other takes its entry. */
    record_end(rbx);
    rbx->import = import;
    record_begin(rbx, stream);
    return entered;
  }
  struct run_open_call* const call = take(thread, (uintptr_t)returns, &kind);
  if (UNLIKELY(call == NULL)) return entered;
  fill(call, returns, rbx, import);
  record_begin(call, stream);
  entered.call = call;
  return entered;
}

void run_left_trace(struct run_open_call* call) {
  const struct kind kind = traced();
  record_end(call);
  release(&run_hooked, call, &kind);
}

/* Counting. */

INLINE struct run_cell* cell_of(const struct run_hooked* thread, uint32_t import) {
  struct run_cell* const cell = thread->cells[import];
  return LIKELY(cell != NULL) ? cell : run_saving_cell(import);
}

INLINE unsigned bucket_of(uint64_t ticks) {
  const unsigned shift = ticks < 8 ? 0 : 61 - (unsigned)__builtin_clzl(ticks);
  const unsigned bucket = shift * 4 + (unsigned)(ticks >> shift);
  return bucket < RUN_BUCKETS ? bucket : RUN_BUCKETS - 1;
}

INLINE void count_time(const struct run_open_call* call, uint64_t ended) {
  struct run_cell* const cell = call->cell;
  if (UNLIKELY(cell == NULL)) return;
  const uint64_t ticks = ended > call->began ? ended - call->began : 0;
  add(&cell->timed, 1);
  add(&cell->ticks, ticks * call->weight);
  if (UNLIKELY(ticks < cell->shortest)) cell->shortest = ticks;
  if (UNLIKELY(ticks > cell->longest)) cell->longest = ticks;
  add(&cell->lengths[bucket_of(ticks)], call->weight);
  add(&cell->mean, ticks - cell->mean / RUN_MEAN_OF);
}

/* Timing a call takes about 64 ticks: functions that take 1024 on average are always timed, others so often that timing
 * adds a sixteenth to their time. After long calls, later ones are timed, too. */
INLINE uint32_t weight_by(uint64_t mean) {
  enum { kEach = 10, kMost = 6 };
  const unsigned log = 63 - (unsigned)__builtin_clzl(mean / RUN_MEAN_OF | 1);
  const unsigned weight = log < kEach ? kEach - log : 0;
  return 1u << (weight < kMost ? weight : kMost);
}

/* A call is to be timed: chooses the next. Gaps are random, because programs repeat their calls; their mean is the
 * weight. */
INLINE uint32_t choose_next(struct run_cell* cell) {
  add(&cell->calls, 1);
  const uint32_t weight = cell->weight;
  if (!run_is_sampling) return weight;
  cell->random = cell->random * 6364136223846793005u + 1442695040888963407u;
  cell->weight = weight_by(cell->mean);
  const uint64_t untimed = (cell->random >> 32) * (2 * cell->weight - 1) >> 32;
  /* A signal handler may have chosen, too. */
  const int32_t before = __atomic_exchange_n(&cell->untimed, (int32_t)untimed, __ATOMIC_RELAXED);
  add(&cell->calls, untimed - (uint64_t)(before > 0 ? before : 0));
  return weight;
}

/* It is counted as a call without an end, unless it returns. */
static void leave_counted(struct run_open_call* call) { (void)call; }

INLINE struct kind counted(void) { return (struct kind){(uintptr_t)run_back_time, leave_counted}; }

struct run_entered run_entered_time(uint32_t import, uintptr_t* returns, struct run_open_call* rbx) {
  struct run_hooked* const thread = &run_hooked;
  struct run_entered entered = {NULL, run_imports[import].function};
  if (UNLIKELY(run_is_shut)) return entered;
  if (UNLIKELY(thread->top == NULL || thread->inside)) {
    if (thread->inside || !run_saving_thread()) return entered;
  }
  struct run_cell* const cell = cell_of(thread, import);
  if (UNLIKELY(cell == NULL)) return entered;
  const uint32_t weight = choose_next(cell);
  const struct kind kind = counted();
  if (UNLIKELY(*returns == kind.back)) {
    const uint64_t ticks = now();
    count_time(rbx, ticks);
    rbx->import = import;
    rbx->cell = cell;
    rbx->weight = weight;
    rbx->began = ticks;
    add(&cell->awaited, weight);
    return entered;
  }
  struct run_open_call* const call = take(thread, (uintptr_t)returns, &kind);
  if (UNLIKELY(call == NULL)) return entered;
  fill(call, returns, rbx, import);
  call->cell = cell;
  call->weight = weight;
  add(&cell->awaited, weight);
  entered.call = call;
  call->began = now();
  return entered;
}

void run_left_time(struct run_open_call* call) {
  const struct kind kind = counted();
  if (LIKELY(!run_is_shut)) count_time(call, now());
  release(&run_hooked, call, &kind);
}

/* The first call of a thread: its stub counts the others. */
struct run_entered run_entered_count(uint32_t import, uintptr_t* returns, struct run_open_call* rbx) {
  (void)returns;
  (void)rbx;
  struct run_hooked* const thread = &run_hooked;
  struct run_entered entered = {NULL, run_imports[import].function};
  if (UNLIKELY(thread->inside || run_is_shut)) return entered;
  if (thread->cells == NULL && !run_saving_thread()) return entered;
  struct run_cell* const cell = cell_of(thread, import);
  if (cell != NULL) add(&cell->calls, 1);
  return entered;
}

void run_left_count(struct run_open_call* call) { (void)call; }
