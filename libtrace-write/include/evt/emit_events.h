/* The standard events in C: one function for each, which records that it happens now.
 *
 *   const evt_type* run = evt_declare_standard(writer, EVT_EVENT_THREAD_RUN, NULL);
 *   evt_emit_thread_run(stream, run, 7, 1);
 *
 * `type` must be what evt_declare_standard returned for that event. Programs choose the numbers of threads, objects and
 * processes; 0 means none where an event need not have one. Texts end with a NUL. Numbers called name, function or
 * resource, and the reason of an overhead, are ids of evt_intern. A duration is in ticks of the stream's clock and ends
 * now. What each event means: format-spec/REGISTRY.md. In C++20: <evt/events.h>. */
#ifndef EVT_EMIT_EVENTS_H_
#define EVT_EMIT_EVENTS_H_

#include <evt/emit.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Events of one shape. */
static inline void evt_emit_bare_(evt_stream* stream, const evt_type* type) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_commit(&r);
}

static inline void evt_emit_u64_(evt_stream* stream, const evt_type* type, uint64_t id) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u64(&r, id);
  evt_commit(&r);
}

static inline void evt_emit_name_(evt_stream* stream, const evt_type* type, uint64_t id, const char* name) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u64(&r, id);
  evt_text_z(&r, name);
  evt_commit(&r);
}

static inline void evt_emit_named_(evt_stream* stream, const evt_type* type, uint32_t name, int64_t value) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u32(&r, name);
  evt_i64(&r, value);
  evt_commit(&r);
}

static inline void evt_emit_thread_create(evt_stream* stream, const evt_type* type, uint64_t thread) {
  evt_emit_u64_(stream, type, thread);
}

static inline void evt_emit_thread_name(evt_stream* stream, const evt_type* type, uint64_t thread, const char* name) {
  evt_emit_name_(stream, type, thread, name);
}

static inline void evt_emit_thread_runnable(evt_stream* stream, const evt_type* type, uint64_t thread) {
  evt_emit_u64_(stream, type, thread);
}

static inline void evt_emit_thread_run(evt_stream* stream, const evt_type* type, uint64_t thread, uint32_t cpu) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u64(&r, thread);
  evt_u32(&r, cpu);
  evt_commit(&r);
}

/* `reason`: enum evt_stop_reason. */
static inline void evt_emit_thread_stop(evt_stream* stream, const evt_type* type, uint64_t thread, uint16_t reason,
                                        uint64_t object) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u64(&r, thread);
  evt_u16(&r, reason);
  evt_u64(&r, object);
  evt_commit(&r);
}

static inline void evt_emit_thread_wake(evt_stream* stream, const evt_type* type, uint64_t thread, uint64_t waker) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u64(&r, thread);
  evt_u64(&r, waker);
  evt_commit(&r);
}

static inline void evt_emit_thread_migrate(evt_stream* stream, const evt_type* type, uint64_t thread, uint32_t cpu,
                                           uint32_t to_cpu) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u64(&r, thread);
  evt_u32(&r, cpu);
  evt_u32(&r, to_cpu);
  evt_commit(&r);
}

static inline void evt_emit_thread_exit(evt_stream* stream, const evt_type* type, uint64_t thread) {
  evt_emit_u64_(stream, type, thread);
}

static inline void evt_emit_span_begin(evt_stream* stream, const evt_type* type, uint32_t name) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u32(&r, name);
  evt_commit(&r);
}

static inline void evt_emit_span_end(evt_stream* stream, const evt_type* type) { evt_emit_bare_(stream, type); }

static inline void evt_emit_span_complete(evt_stream* stream, const evt_type* type, uint32_t name, int64_t duration) {
  evt_emit_named_(stream, type, name, duration);
}

static inline void evt_emit_counter(evt_stream* stream, const evt_type* type, uint32_t name, int64_t value) {
  evt_emit_named_(stream, type, name, value);
}

static inline void evt_emit_mark(evt_stream* stream, const evt_type* type, const char* message) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_text_z(&r, message);
  evt_commit(&r);
}

static inline void evt_emit_call_begin(evt_stream* stream, const evt_type* type, uint32_t function, uint64_t object,
                                       uint32_t resource, uint64_t amount, uint64_t limit) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u32(&r, function);
  evt_u64(&r, object);
  evt_u32(&r, resource);
  evt_u64(&r, amount);
  evt_u64(&r, limit);
  evt_commit(&r);
}

static inline void evt_emit_call_end(evt_stream* stream, const evt_type* type, uint32_t function, uint64_t amount) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u32(&r, function);
  evt_u64(&r, amount);
  evt_commit(&r);
}

static inline void evt_emit_call_complete(evt_stream* stream, const evt_type* type, uint32_t function, uint64_t object,
                                          uint32_t resource, uint64_t amount, uint64_t limit, int64_t duration) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u32(&r, function);
  evt_u64(&r, object);
  evt_u32(&r, resource);
  evt_u64(&r, amount);
  evt_u64(&r, limit);
  evt_i64(&r, duration);
  evt_commit(&r);
}

static inline void evt_emit_object_open(evt_stream* stream, const evt_type* type, uint64_t object, uint32_t resource) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u64(&r, object);
  evt_u32(&r, resource);
  evt_commit(&r);
}

static inline void evt_emit_object_name(evt_stream* stream, const evt_type* type, uint64_t object, const char* name) {
  evt_emit_name_(stream, type, object, name);
}

static inline void evt_emit_object_close(evt_stream* stream, const evt_type* type, uint64_t object) {
  evt_emit_u64_(stream, type, object);
}

static inline void evt_emit_process_stopped(evt_stream* stream, const evt_type* type, int64_t duration) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_i64(&r, duration);
  evt_commit(&r);
}

static inline void evt_emit_gc_start(evt_stream* stream, const evt_type* type, uint16_t generation) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u16(&r, generation);
  evt_commit(&r);
}

static inline void evt_emit_gc_end(evt_stream* stream, const evt_type* type) { evt_emit_bare_(stream, type); }

static inline void evt_emit_gc_idle(evt_stream* stream, const evt_type* type) { evt_emit_bare_(stream, type); }

static inline void evt_emit_gc_work(evt_stream* stream, const evt_type* type) { evt_emit_bare_(stream, type); }

static inline void evt_emit_gc_done(evt_stream* stream, const evt_type* type) { evt_emit_bare_(stream, type); }

static inline void evt_emit_process_start(evt_stream* stream, const evt_type* type, uint64_t process, uint64_t parent) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u64(&r, process);
  evt_u64(&r, parent);
  evt_commit(&r);
}

static inline void evt_emit_process_program(evt_stream* stream, const evt_type* type, uint64_t process,
                                            const char* name) {
  evt_emit_name_(stream, type, process, name);
}

/* `count` texts. */
static inline void evt_emit_process_arguments(evt_stream* stream, const evt_type* type, uint64_t process,
                                              const char* const* arguments, uint16_t count) {
  evt_row r = evt_begin(stream, type);
  uint16_t i;
  if (r.p == NULL) return;
  evt_u64(&r, process);
  evt_u16(&r, count);
  for (i = 0; i < count; ++i) evt_text_z(&r, arguments[i]);
  evt_commit(&r);
}

static inline void evt_emit_wall_clock(evt_stream* stream, const evt_type* type, int64_t utc_ns) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_i64(&r, utc_ns);
  evt_commit(&r);
}

static inline void evt_emit_overhead(evt_stream* stream, const evt_type* type, uint32_t reason, int64_t duration) {
  evt_emit_named_(stream, type, reason, duration);
}

/* Rows that samples share. Functions and modules are ids of evt_intern, frames those of evt_intern_stack_frame. */
static inline uint32_t evt_intern_stack_frame(evt_writer* writer, const evt_type* type, uint32_t function,
                                              uint32_t module, uint32_t line) {
  uint8_t fields[12];
  evt_store_u32(fields, function);
  evt_store_u32(fields + 4, module);
  evt_store_u32(fields + 8, line);
  return evt_intern_row(writer, type, fields, sizeof fields);
}

/* The innermost frame first; those after the 512th are left out. */
static inline uint32_t evt_intern_stack_frames(evt_writer* writer, const evt_type* type, const uint32_t* frames,
                                               uint16_t count) {
  uint8_t fields[2 + 4 * 512];
  const size_t most = 512;
  const size_t kept = count < most ? count : most;
  size_t i;
  evt_store_u16(fields, count < 512 ? count : 512);
  for (i = 0; i < kept; ++i) evt_store_u32(fields + 2 + 4 * i, frames[i]);
  return evt_intern_row(writer, type, fields, 2 + 4 * kept);
}

/* `stack` is an id of evt_intern_stack_frames; `weight_ns` the processor time that the sample stands for. */
static inline void evt_emit_stack_sample(evt_stream* stream, const evt_type* type, uint64_t thread, uint32_t stack,
                                         uint64_t weight_ns) {
  evt_row r = evt_begin(stream, type);
  if (r.p == NULL) return;
  evt_u64(&r, thread);
  evt_u32(&r, stack);
  evt_u64(&r, weight_ns);
  evt_commit(&r);
}

#ifdef __cplusplus
}
#endif

#endif /* EVT_EMIT_EVENTS_H_ */
