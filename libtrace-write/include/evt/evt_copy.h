/* For programs that copy a trace, or make one from others: the written trace keeps the numbers, the times and the end
 * of the original. The rules of <evt/evt.h> about threads, errors and lifetimes hold here. */
#ifndef EVT_EVT_COPY_H_
#define EVT_EVT_COPY_H_

#include <evt/evt.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef EVT_EXPORT
#pragma GCC visibility push(default)
#endif

/* Called by the inline functions below. */
const evt_type* evt_declare_as_1(evt_writer* writer, const evt_event_type* type, const evt_sizes_* sizes,
                                 evt_error* error);
evt_stream* evt_stream_open_as_1(evt_writer* writer, const evt_stream_info* info, const evt_sizes_* sizes,
                                 evt_error* error);
int evt_fact_as_1(evt_writer* writer, const evt_fact_info* fact, const evt_sizes_* sizes, evt_error* error);

/* Like evt_declare, but the caller sets the number that identifies the type; other types may have its name. */
static inline const evt_type* evt_declare_as(evt_writer* writer, const evt_event_type* type, evt_error* error) {
  return evt_declare_as_1(writer, type, evt_sizes_of_this_(), error);
}

/* Like evt_stream_open, with the id, thread and process of `info`. Never NULL. The id of another stream is an error,
 * and the returned stream records nothing. */
static inline evt_stream* evt_stream_open_as(evt_writer* writer, const evt_stream_info* info, evt_error* error) {
  return evt_stream_open_as_1(writer, info, evt_sizes_of_this_(), error);
}

/* Like evt_intern, with an id that the caller chooses. Returns 0 if another text has it. */
uint32_t evt_intern_as(evt_writer* writer, uint32_t id, const char* text, size_t size);

/* Like evt_fact, with a time that the caller chooses, and texts that may contain a NUL. */
static inline int evt_fact_as(evt_writer* writer, const evt_fact_info* fact, evt_error* error) {
  return evt_fact_as_1(writer, fact, evt_sizes_of_this_(), error);
}

/* Like evt_close, without the trailer, so that readers report the session as truncated. */
int evt_close_truncated(evt_writer* writer, evt_error* error);

#ifdef EVT_EXPORT
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif /* EVT_EVT_COPY_H_ */
