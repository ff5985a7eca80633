/* For programs that copy a trace, or make one of others: what they write keeps the numbers, the times and the end of
 * what they read. What <evt/evt.h> states about threads, errors and lifetimes holds here. */
#ifndef EVT_EVT_COPY_H_
#define EVT_EVT_COPY_H_

#include <evt/evt.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef EVT_EXPORT
#pragma GCC visibility push(default)
#endif

/* What the inline functions below call. */
const evt_type* evt_declare_as_1(evt_writer* writer, const evt_event_type* type, const evt_sizes_* sizes,
                                 evt_error* error);
evt_stream* evt_stream_open_as_1(evt_writer* writer, const evt_stream_info* info, const evt_sizes_* sizes,
                                 evt_error* error);
int evt_fact_as_1(evt_writer* writer, const evt_fact_info* fact, const evt_sizes_* sizes, evt_error* error);

/* As evt_declare, but a type is known by its number, which the caller must set, and others may have its name. */
static inline const evt_type* evt_declare_as(evt_writer* writer, const evt_event_type* type, evt_error* error) {
  return evt_declare_as_1(writer, type, evt_sizes_of_this_(), error);
}

/* As evt_stream_open, with the id, thread and process of `info`. Never NULL; an id that is another stream's is an
 * error, and the returned stream records nothing. */
static inline evt_stream* evt_stream_open_as(evt_writer* writer, const evt_stream_info* info, evt_error* error) {
  return evt_stream_open_as_1(writer, info, evt_sizes_of_this_(), error);
}

/* As evt_intern, with an id of the caller's choice. 0 when it is already another's. */
uint32_t evt_intern_as(evt_writer* writer, uint32_t id, const char* text, size_t size);

/* As evt_fact, with a time of the caller's, and texts that may hold a NUL. */
static inline int evt_fact_as(evt_writer* writer, const evt_fact_info* fact, evt_error* error) {
  return evt_fact_as_1(writer, fact, evt_sizes_of_this_(), error);
}

/* As evt_close, without the words that end a session, so that readers report it as truncated. */
int evt_close_truncated(evt_writer* writer, evt_error* error);

#ifdef EVT_EXPORT
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif /* EVT_EVT_COPY_H_ */
