/* Code that <evt/trace_macros.h> compiles into programs: the default writer, a place in the program that records, and
 * the state of a thread. Names that end in an underscore are private to these two files; docs/ABI.md states what must
 * not change.
 */
#ifndef EVT_TRACE_SITE_H_
#define EVT_TRACE_SITE_H_

/* NOLINTBEGIN(modernize-use-nullptr): this is C as well */

#include <evt/emit.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef EVT_EXPORT
#pragma GCC visibility push(default)
#endif
#ifndef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeclaration-after-statement"
#endif

/* What a place records in one session. Never changed or freed, so its writer identifies the session. */
typedef struct evt_site_handle_ {
  const evt_writer* writer;
  const evt_type* type;
  const evt_type* span_end; /* for a span; else NULL */
  uint32_t span_name;       /* for a span: its name, interned */
  uint32_t reserved;
} evt_site_handle_;

/* A place in the program. */
typedef struct evt_site_ {
  const evt_site_handle_* handle; /* atomic; NULL: not used yet */
} evt_site_;

/* Source location, for the event type. All texts are literals. */
typedef struct evt_place_ {
  const char* name;
  const char* file;
  const char* function;
  uint32_t line;
  uint32_t reserved;
} evt_place_;

/* The calling thread's stream in a session. */
typedef struct evt_thread_cache_ {
  evt_stream* stream;
  const evt_writer* writer;
  uintptr_t
      thread; /* its number in the process, from 1 on, because addresses are reused; 0: it has not recorded this way */
} evt_thread_cache_;

/* Where and what the calling thread records; `handle` is NULL if it cannot. */
typedef struct evt_at_site_ {
  evt_stream* stream;
  const evt_site_handle_* handle;
} evt_at_site_;

/* Atomic; see evt_set_default. The address of a session is used only once in a process, so it identifies the
 * session. */
extern evt_writer* evt_default_writer_;

/* Signal handlers read it, so it must exist without being allocated. */
extern __thread evt_thread_cache_ evt_thread_ __attribute__((tls_model("initial-exec")));

/* Called when a place or a thread records for the first time in a session. `type` is the type that the place declares;
 * with role spanBegin its only field is an interned name. A type that was declared otherwise is a notice, and records
 * nothing. In a signal handler nothing is declared: the event is counted as lost. */
evt_at_site_ evt_first_at_site_1(evt_writer* writer, evt_site_* site, const evt_event_type* type,
                                 const evt_sizes_* sizes);

/* The session last given to evt_set_default, until it is closed; NULL: none. Any thread. */
EVT_INLINE_ evt_writer* evt_default(void) { return __atomic_load_n(&evt_default_writer_, __ATOMIC_ACQUIRE); }

/* The stream before its session: a signal handler may change both in between, and then the session is another one. */
EVT_INLINE_ evt_at_site_ evt_known_at_site_(const evt_writer* writer, const evt_site_* site) {
  evt_at_site_ at;
  at.stream = __atomic_load_n(&evt_thread_.stream, __ATOMIC_RELAXED);
  EVT_SIGNAL_FENCE_();
  at.handle = __atomic_load_n(&site->handle, __ATOMIC_ACQUIRE);
  if (EVT_UNLIKELY_(at.handle == NULL || at.handle->writer != writer ||
                    __atomic_load_n(&evt_thread_.writer, __ATOMIC_RELAXED) != writer)) {
    at.handle = NULL;
  }
  return at;
}

static __attribute__((cold, noinline, unused)) evt_at_site_ evt_first_at_site_(evt_writer* writer, evt_site_* site,
                                                                               evt_place_ place, enum evt_role role,
                                                                               const evt_field* fields,
                                                                               uint32_t field_count) {
  evt_event_type type;
  memset(&type, 0, sizeof type);
  type.name = place.name;
  type.role = EVT_CAST_(uint16_t, role);
  type.fields = fields;
  type.field_count = field_count;
  type.source_file = place.file;
  type.source_function = place.function;
  type.source_line = place.line;
  return evt_first_at_site_1(writer, site, &type, evt_sizes_of_this_());
}

/* A span of this thread; without a stream: none is recorded. */
typedef struct evt_span_ {
  evt_stream* stream;
  const evt_type* end;
  uintptr_t thread; /* must be the thread that ends it: a stream has one producer */
} evt_span_;

EVT_INLINE_ evt_span_ evt_span_begin_(evt_site_* site, evt_place_ place) {
  evt_span_ span = {NULL, NULL, 0};
  evt_writer* const writer = evt_default();
  if (EVT_LIKELY_(writer == NULL)) return span;
  evt_at_site_ at = evt_known_at_site_(writer, site);
  if (EVT_UNLIKELY_(at.handle == NULL)) {
    const evt_field name = EVT_FIELD_INTERNED("name", EVT_ROLE_NAME);
    at = evt_first_at_site_(writer, site, place, EVT_ROLE_SPAN_BEGIN, &name, 1);
    if (at.handle == NULL) return span;
  }
  evt_row row = evt_begin(at.stream, at.handle->type);
  if (row.p == NULL) return span;
  evt_u32(&row, at.handle->span_name);
  evt_commit(&row);
  span.stream = at.stream;
  span.end = at.handle->span_end;
  span.thread = evt_thread_.thread;
  return span;
}

EVT_INLINE_ void evt_span_end_(const evt_span_* span) {
  if (EVT_LIKELY_(span->stream == NULL) || span->thread != evt_thread_.thread) return;
  evt_row row = evt_begin(span->stream, span->end);
  if (row.p != NULL) evt_commit(&row);
}

#ifndef __cplusplus
#pragma GCC diagnostic pop
#endif
#ifdef EVT_EXPORT
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-use-nullptr) */

#endif /* EVT_TRACE_SITE_H_ */
