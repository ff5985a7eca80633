/* Recording calls: begin and end, so that a hanging program shows where; a call that cannot hang is one event. A
 * wrapper is
 *
 *   const struct run_recorded call = run_begin(RUN_fsync, run_object_of(fd), 0);
 *   const int result = REAL(fsync)(fd);
 *   run_end(&call, 0);
 *   return result;
 *
 * errno keeps the value that the function set. */
#ifndef EVT_RECORD_CALLS_H_
#define EVT_RECORD_CALLS_H_

#include <errno.h>
#include <evt/emit.h>

#include "../recorded/real.h"
#include "../recorded/recording.h"
#include "../recorded/thread_stream.h"
#include "descriptors.h"
#include "waits.h"

#define RUN_EXPORT __attribute__((visibility("default")))

/* A call that has begun. */
struct run_recorded {
  evt_stream* stream; /* NULL: it is not recorded */
  uint32_t function;
  struct run_object object; /* for a call that is recorded when it has ended */
  uint64_t since;           /* when that began, in ticks; 0: its begin is recorded */
  uint64_t begun;           /* the same of any call; 0: unknown */
};

/* In ticks. */
static inline uint64_t run_time_of(const evt_stream* stream, const evt_row* row) {
  return stream->base + (uint32_t)row->head;
}

static inline struct run_recorded run_wanted(enum run_call call, struct run_object object) {
  struct run_recorded recorded = {run_stream(), 0, object, 0, 0};
  if (recorded.stream == NULL) return recorded;
  recorded.function = run_session.functions[call];
  if (recorded.function == 0) recorded.stream = NULL;
  return recorded;
}

/* `asked`: the requested amount. */
static inline struct run_recorded run_begin(enum run_call call, struct run_object object, uint64_t asked) {
  struct run_recorded recorded = run_wanted(call, object);
  if (recorded.stream == NULL) return recorded;
  const int error = errno;
  evt_row row = evt_begin(recorded.stream, run_session.call_begin);
  if (row.p != NULL) {
    evt_u32(&row, recorded.function);
    evt_u64(&row, object.number);
    evt_u32(&row, run_session.resources[object.resource]);
    evt_u64(&row, asked);
    evt_u64(&row, 0);
    recorded.begun = run_time_of(recorded.stream, &row);
    evt_commit(&row);
  }
  errno = error;
  return recorded;
}

/* One that waits for another thread. `holder`: the system's number of that thread, if it is known now; 0: it is not. */
static inline struct run_recorded run_begin_wait(enum run_call call, struct run_object object, uint64_t holder) {
  struct run_recorded recorded = run_wanted(call, object);
  if (recorded.stream == NULL) return recorded;
  const int error = errno;
  evt_row row = evt_begin(recorded.stream, run_session.wait_begin);
  if (row.p != NULL) {
    evt_u32(&row, recorded.function);
    evt_u64(&row, object.number);
    evt_u32(&row, run_session.resources[object.resource]);
    evt_u64(&row, run_session.has_system_numbers ? holder : 0);
    recorded.begun = run_time_of(recorded.stream, &row);
    evt_commit(&row);
  }
  errno = error;
  return recorded;
}

/* One that does not ask the system. Its amount has less than 33 bits. */
static inline struct run_recorded run_begin_buffered(enum run_call call, struct run_object object, uint64_t asked) {
  struct run_recorded recorded = {run_stream(), run_session.functions[call], object, 0, 0};
  if (object.number >> 32 != 0) return run_begin(call, object, asked);
  if (recorded.function == 0) recorded.stream = NULL;
  if (recorded.stream != NULL) recorded.begun = recorded.since = evt_now(recorded.stream);
  return recorded;
}

/* Returns when it ended; 0: unknown. */
static inline uint64_t run_end_buffered(const struct run_recorded* recorded, uint64_t had) {
  evt_row row = evt_begin(recorded->stream, run_session.buffered_call);
  if (row.p == NULL) return 0;
  evt_u32(&row, recorded->function);
  evt_u32(&row, (uint32_t)recorded->object.number);
  evt_u32(&row, run_session.resources[recorded->object.resource]);
  evt_u32(&row, (uint32_t)had);
  const uint64_t now = run_time_of(recorded->stream, &row);
  evt_i64(&row, (int64_t)(now - recorded->since));
  evt_commit(&row);
  return now;
}

static inline uint64_t run_end_plain(const struct run_recorded* recorded, uint64_t had) {
  evt_row row = evt_begin(recorded->stream, run_session.call_end);
  if (row.p == NULL) return 0;
  evt_u32(&row, recorded->function);
  evt_u64(&row, had);
  const uint64_t now = run_time_of(recorded->stream, &row);
  evt_commit(&row);
  return now;
}

/* `had`: the obtained amount. */
static inline void run_end(const struct run_recorded* recorded, uint64_t had) {
  if (recorded->stream == NULL || run_thread.stream != recorded->stream) return;
  if (__builtin_expect(run_thread.session != run_session.number, 0)) return; /* it ended meanwhile */
  const int error = errno;
  const uint64_t now = recorded->since != 0 ? run_end_buffered(recorded, had) : run_end_plain(recorded, had);
  const uint64_t ticks = now > recorded->begun && recorded->begun != 0 ? now - recorded->begun : 0;
  if (__builtin_expect(ticks > run_long_wait, 0)) run_note_wait(recorded->function, recorded->object, ticks);
  errno = error;
}

/* The amount obtained by a function that returns a count or -1. */
static inline uint64_t run_had(int64_t result) { return result > 0 ? (uint64_t)result : 0; }

/* A wrapper of a function whose result is all that is to be done with it. */
#define RUN_WRAP(type, name, call, parameters, arguments, object, asked, had) \
  RUN_WRAP_BEGUN(type, name, parameters, arguments, run_begin(RUN_##call, object, (uint64_t)(asked)), had)
#define RUN_WRAP_BEGUN(type, name, parameters, arguments, begun, had) \
  RUN_EXPORT type name parameters {                                   \
    const struct run_recorded recorded = begun;                       \
    type const result = REAL(name) arguments;                         \
    run_end(&recorded, had);                                          \
    return result;                                                    \
  }

/* Like RUN_WRAP for the first version of a name that has OLDER in calls.def; for machines that have one. */
#if defined(__x86_64__)
#define RUN_WRAP_OLDER(type, name, parameters, arguments, object)       \
  __asm__(".symver run_older_" #name ", " #name "@" RUN_FIRST_VERSION); \
  type run_older_##name parameters;                                     \
  RUN_WRAP(type, run_older_##name, name, parameters, arguments, object, 0, 0)
#else
#define RUN_WRAP_OLDER(type, name, parameters, arguments, object)
#endif
/* Both versions of it. */
#define RUN_WRAP_BOTH(type, name, parameters, arguments, object)  \
  RUN_WRAP(type, name, name, parameters, arguments, object, 0, 0) \
  RUN_WRAP_OLDER(type, name, parameters, arguments, object)

#endif /* EVT_RECORD_CALLS_H_ */
