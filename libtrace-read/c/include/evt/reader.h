/* evtrace reader, C interface: opens traces, and returns their metadata, their events, and tables.
 *
 *   evtr_error error;
 *   evtr_trace* trace = evtr_open(&path, 1, NULL, &error);
 *   if (trace == NULL) return fail(error.message);
 *   evtr_events* events = evtr_events_open(trace, NULL, &error);
 *   evtr_event event;
 *   while (evtr_next(events, &event)) use(event.ns, event.type);
 *   evtr_events_close(events);
 *   evtr_close(trace);
 *
 * Text is the trace's UTF-8, which may contain invalid bytes; it ends with a NUL, and may contain others. Returned data
 * belongs to the trace, and lives as long as it, unless its function states otherwise. One thread at a time uses a
 * trace and the objects from it; others may use other traces meanwhile. A pointer may be NULL only where its function
 * or structure says so.
 *
 * Structures grow at their ends. The inline functions pass this program's sizes to the functions whose names end in a
 * number, which the library exports (docs/ABI.md).
 */
#ifndef EVT_READER_H_
#define EVT_READER_H_

#include <evt/arrow.h>
#include <evt/code.h>
#include <evt/format.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

typedef struct evtr_trace evtr_trace;
typedef struct evtr_events evtr_events;

/* What went wrong and where, in one lower-case sentence, cut to its size. Every call that takes one fills it, and
 * accepts NULL. It never grows. */
typedef struct evtr_error {
  int code; /* enum evt_code; EVT_OK: nothing, and the message is empty */
  char message[508];
} evtr_error;

typedef struct evtr_text {
  const char* data;
  size_t size;
} evtr_text;

/* Zero is the default of every option. */
typedef struct evtr_open_options {
  uint8_t segments; /* 1: the paths are segments of one trace, in any order; 0: each is a separate trace */
  uint8_t no_rings; /* 1: read only files, and not the shared memory of killed or running programs */
  uint8_t strict;   /* 1: damage and a missing end are errors. A session that was not closed is not an error if its ring
                       has the rest: evtr_session.closed tells */
  uint8_t reserved[5];
} evtr_open_options;

/* Called by the inline function below, like all whose names end in a number. */
evtr_trace* evtr_open_1(const char* const* paths, size_t count, const evtr_open_options* options, size_t options_size,
                        evtr_error* error);

/* Opens traces of every format that evt opens, except those that need a helper program. Returns NULL if one of them
 * cannot be opened; the message begins with its path. `options` may be NULL. Sessions are numbered across all of
 * them. */
static inline evtr_trace* evtr_open(const char* const* paths, size_t count, const evtr_open_options* options,
                                    evtr_error* error) {
  return evtr_open_1(paths, count, options, sizeof *options, error);
}

/* Closes the trace. Objects from it stay usable until they are closed themselves; returned data is gone with the last
 * of them. NULL may be passed. */
void evtr_close(evtr_trace* trace);

/* Reports what is incomplete in the traces, as far as known from what was read so far: damage, a session that was not
 * closed, missing rows, and, with code EVT_OK, events that were lost when they were recorded. One call for each, from 0
 * on, which starts over; returns 0 if there are no more. */
int evtr_problem(evtr_trace* trace, size_t number, evtr_error* error);

typedef struct evtr_session {
  uint64_t key; /* its number in tables */
  uint8_t uuid[16];
  int64_t start_utc_ns; /* since 1970 */
  int64_t last_ns;      /* time of its latest event, since its start */
  uint64_t events;      /* rows, from the headers of blocks: including records of losses and of jumps in time */
  uint64_t lost;
  uint64_t missing; /* known to be missing, from headers and from what was read before */
  uint64_t pid;     /* 0: not stated */
  evtr_text program;
  evtr_text host;
  evtr_text writer;
  uint32_t stream_count;
  uint32_t type_count;
  uint32_t trace; /* index of its path, from 0 on */
  uint8_t closed; /* 0: the program was killed, or is running */
  uint8_t reserved[3];
  evtr_text end; /* how it ended: closed, continued, living, killed, truncated or unknown */
} evtr_session;

typedef struct evtr_stream {
  evtr_text name;
  uint64_t thread;  /* the operating system's id; 0: none */
  uint64_t process; /* 0: the session's */
  uint64_t events;  /* as in evtr_session */
  uint64_t lost;
  uint64_t missing; /* as in evtr_session */
  int64_t first_ns; /* time of its first event, since the session's start; 0 without any */
  int64_t last_ns;
  uint32_t id;
  uint32_t reserved;
} evtr_stream;

typedef struct evtr_type {
  evtr_text name;
  evtr_text description;
  uint32_t number;
  uint32_t role; /* enum evt_role */
  uint32_t field_count;
  uint32_t reserved;
} evtr_type;

typedef struct evtr_field {
  evtr_text name;
  evtr_text description;
  uint32_t width; /* bytes of a fixed value, or of an array's element */
  uint16_t kind;  /* enum evt_kind, of its elements */
  uint16_t shape; /* enum evt_shape */
  uint16_t role;  /* enum evt_role */
  uint16_t unit;  /* enum evt_unit */
  int8_t scale;   /* for an integer: times 10 to this power */
  uint8_t reserved[3];
} evtr_field;

size_t evtr_session_count(const evtr_trace* trace);
int evtr_session_at_1(const evtr_trace* trace, size_t session, evtr_session* to, size_t size);
int evtr_stream_at_1(const evtr_trace* trace, size_t session, size_t stream, evtr_stream* to, size_t size);
int evtr_type_at_1(const evtr_trace* trace, size_t session, size_t type, evtr_type* to, size_t size);
int evtr_field_at_1(const evtr_trace* trace, size_t session, size_t type, size_t field, evtr_field* to, size_t size);

/* Fill `to`; return 0 if there is none with this index, and zero it. */
static inline int evtr_session_at(const evtr_trace* trace, size_t session, evtr_session* to) {
  return evtr_session_at_1(trace, session, to, sizeof *to);
}
static inline int evtr_stream_at(const evtr_trace* trace, size_t session, size_t stream, evtr_stream* to) {
  return evtr_stream_at_1(trace, session, stream, to, sizeof *to);
}
static inline int evtr_type_at(const evtr_trace* trace, size_t session, size_t type, evtr_type* to) {
  return evtr_type_at_1(trace, session, type, to, sizeof *to);
}
static inline int evtr_field_at(const evtr_trace* trace, size_t session, size_t type, size_t field, evtr_field* to) {
  return evtr_field_at_1(trace, session, type, field, to, sizeof *to);
}

#define EVTR_NONE 0xFFFFFFFFu

/* The index of the first type with a name, and of the first field with a name, or with a role; EVTR_NONE: there is
 * none. Several types may share a name: evtr_type_at() returns all of them. */
uint32_t evtr_find_type(const evtr_trace* trace, size_t session, const char* name);
uint32_t evtr_find_field(const evtr_trace* trace, size_t session, size_t type, const char* name);
uint32_t evtr_find_role(const evtr_trace* trace, size_t session, size_t type, uint32_t role);

/* Wanted times, since a session's start, both included. Zero means all. */
typedef struct evtr_range {
  int64_t from_ns;
  int64_t to_ns;
  uint8_t has_from;
  uint8_t has_to;
  uint8_t reserved[6];
} evtr_range;

evtr_events* evtr_events_open_1(evtr_trace* trace, const evtr_range* range, size_t range_size, evtr_error* error);

/* The events of all sessions, one session after another, in order of time. `range` may be NULL. */
static inline evtr_events* evtr_events_open(evtr_trace* trace, const evtr_range* range, evtr_error* error) {
  return evtr_events_open_1(trace, range, sizeof *range, error);
}
void evtr_events_close(evtr_events* events);

typedef struct evtr_event {
  int64_t ns;       /* since the session's start */
  uint32_t session; /* places, as above */
  uint32_t stream;
  uint32_t type; /* EVTR_NONE: the trace does not declare it */
  uint32_t reserved;
} evtr_event;

/* Arrays of one length, for consecutive events of one session. */
typedef struct evtr_batch {
  size_t size;
  const int64_t* ns;
  const uint32_t* streams;
  const uint32_t* types;
  uint32_t session;
  uint32_t reserved;
} evtr_batch;

int evtr_next_1(evtr_events* events, evtr_event* to, size_t size);
int evtr_next_batch_1(evtr_events* events, evtr_batch* to, size_t size);

/* The next event; 0 at the end, and if evtr_events_error() reports an error. It is valid until the next call of either
 * of these.
 */
static inline int evtr_next(evtr_events* events, evtr_event* to) { return evtr_next_1(events, to, sizeof *to); }
/* The next events, as many as are ready. For programs that look at little of many. */
static inline int evtr_next_batch(evtr_events* events, evtr_batch* to) {
  return evtr_next_batch_1(events, to, sizeof *to);
}

/* Consecutive events of one session, with all their fields: for each type that has some, the rows of its events in
 * their order. */
typedef struct evtr_rows {
  size_t size;
  const int64_t* ns;
  const uint32_t* streams;
  const uint32_t* types; /* EVTR_NONE: the trace does not declare it, and it has no fields */
  size_t table_count;    /* types that have fields, and events among these */
  const uint32_t* table_types;
  const struct ArrowSchema* const* schemas; /* a struct of its fields, like the columns of evtr_table() */
  const struct ArrowArray* const* arrays;
  uint32_t session;
  uint32_t reserved;
} evtr_rows;

int evtr_next_rows_1(evtr_events* events, size_t most, evtr_rows* to, size_t size);

/* The next events, `most` at most and one at least, with their fields; 0 at the end, like evtr_next(). For languages in
 * which a call for each field takes long. All of it belongs to the events, and is valid until the next call. */
static inline int evtr_next_rows(evtr_events* events, size_t most, evtr_rows* to) {
  return evtr_next_rows_1(events, most, to, sizeof *to);
}
/* Returns 0 if nothing went wrong so far. Readable events after an error were returned all the same. */
int evtr_events_error(const evtr_events* events, evtr_error* error);

enum evtr_value_kind {
  EVTR_VALUE_NULL = 0, /* it means none, or the event is too short to contain it */
  EVTR_VALUE_SIGNED,   /* integers; times and durations in ns, times since the session's start */
  EVTR_VALUE_UNSIGNED,
  EVTR_VALUE_FLOAT,
  EVTR_VALUE_BOOL,  /* number is 0 or 1 */
  EVTR_VALUE_TEXT,  /* also labels of enumerations; then number has the value */
  EVTR_VALUE_BYTES, /* in text */
  EVTR_VALUE_LIST,  /* number is its length; text is its JSON */
};

typedef struct evtr_value {
  uint32_t kind; /* enum evtr_value_kind */
  uint32_t reserved;
  union {
    uint64_t number;
    int64_t signed_number;
    double float_number;
  } is;
  evtr_text text; /* valid until the next call for a value or an event */
} evtr_value;

int evtr_value_at_1(evtr_events* events, size_t field, evtr_value* to, size_t size);

/* A field of the event that evtr_next() returned last; 0, and a null, if its type has no field with this index. */
static inline int evtr_value_at(evtr_events* events, size_t field, evtr_value* to) {
  return evtr_value_at_1(events, field, to, sizeof *to);
}

/* Tables: docs/TABLES.md. */
size_t evtr_table_count(const evtr_trace* trace);
/* Its name; an empty text if there is none with this index. */
evtr_text evtr_table_name(const evtr_trace* trace, size_t table);

typedef struct evtr_table_options {
  evtr_range range;
  uint32_t most_rows; /* per batch; 0: 65,536 */
  uint32_t reserved;
} evtr_table_options;

int evtr_table_1(evtr_trace* trace, const char* name, const evtr_table_options* options, size_t options_size,
                 struct ArrowArrayStream* to, evtr_error* error);

/* The rows of a table as a stream of Arrow arrays, struct arrays of its columns; metadata of each column contains its
 * unit and its meaning (keys unit and description). The caller releases `to`, which may outlive the trace's
 * evtr_close(); its arrays may outlive both, and be used by any thread. Returns 0 if there is no such table, or no
 * memory. Errors of reading are errors of the stream's get_next. */
static inline int evtr_table(evtr_trace* trace, const char* name, const evtr_table_options* options,
                             struct ArrowArrayStream* to, evtr_error* error) {
  return evtr_table_1(trace, name, options, sizeof *options, to, error);
}

/* Findings of analyses, as evt stats prints them. */
typedef struct evtr_report evtr_report;

/* Zero is the default of every option; each has the meaning, and applies to the analyses, of the option of evt stats
 * named next to it. `range` selects times. */
typedef struct evtr_report_options {
  evtr_range range;
  const char* by;             /* --by: "thread,cpu" */
  const char* model;          /* --model */
  const char* const* threads; /* --thread, one each; the others likewise */
  const char* const* callers; /* --callers */
  const char* const* callees; /* --callees */
  const char* const* limits;  /* --limit: "disk=100M/s" */
  size_t thread_count;
  size_t caller_count;
  size_t callee_count;
  size_t limit_count;
  int64_t every_ns;       /* --every */
  uint64_t cost_ps;       /* --cost */
  uint64_t longest;       /* --longest */
  uint8_t has_cost;       /* cost_ps is given, even if it is 0 */
  uint8_t subtract;       /* --subtract */
  uint8_t compare_models; /* --compare-models */
  uint8_t fold;           /* --fold */
  uint8_t whole_session;  /* --session */
  uint8_t waiting;        /* --waiting */
  uint8_t reserved[2];
  const char* from_event; /* --from-event */
  const char* to_event;   /* --to-event */
  const char* key;        /* --key */
} evtr_report_options;

evtr_report* evtr_report_open_1(evtr_trace* trace, const char* analyses, const evtr_report_options* options,
                                size_t options_size, evtr_error* error);

/* Computes analyses of all sessions, in one pass: one by its name (summary, cpu, threads ...), or several separated by
 * commas. `options` may be NULL. Of several traces, those for which nothing can be computed, because their events were
 * sampled, have a note and no rows. Returns NULL if there is no such analysis, it does not know an option or its value,
 * it cannot be computed from the events of any trace, or a file could not be read. */
static inline evtr_report* evtr_report_open(evtr_trace* trace, const char* analyses, const evtr_report_options* options,
                                            evtr_error* error) {
  return evtr_report_open_1(trace, analyses, options, sizeof *options, error);
}

/* Zero is the default of every option, and each has the meaning of the option of evt why named next to it. `range`
 * selects times. */
typedef struct evtr_why_options {
  evtr_range range;
  const char* name;   /* a span or call; NULL: all that a thread did */
  const char* thread; /* --thread */
  uint64_t nth;       /* --nth */
  int64_t at_ns;      /* --at, since the session's start */
  double percentile;  /* 50 is --median, 99 --p99 */
  uint8_t has_at;
  uint8_t has_percentile;
  uint8_t reserved[6];
} evtr_why_options;

evtr_report* evtr_why_open_1(evtr_trace* trace, const evtr_why_options* options, size_t options_size,
                             evtr_error* error);

/* What an interval of a thread was spent on, as the table why.causes; `options` may be NULL. Returns NULL if no trace
 * has what is asked for, its events were sampled, or a file could not be read. */
static inline evtr_report* evtr_why_open(evtr_trace* trace, const evtr_why_options* options, evtr_error* error) {
  return evtr_why_open_1(trace, options, sizeof *options, error);
}

/* It may be closed before the trace or after it. NULL may be passed. */
void evtr_report_close(evtr_report* report);

/* Names of the tables that some session has: "gc.pauses". They live as long as the report; an empty text if there is
 * none with this index. */
size_t evtr_report_table_count(const evtr_report* report);
evtr_text evtr_report_table_name(const evtr_report* report, size_t table);

/* A table as a stream of Arrow arrays, as from evtr_table(): by its name, or by that of an analysis, which means its
 * first table. One that no session has is empty. Returns 0 if there is no such table, or no memory. */
int evtr_report_table(const evtr_report* report, const char* name, struct ArrowArrayStream* to, evtr_error* error);

/* Doubtful or missing data, one sentence for each, beginning with the path if there are several traces; an empty text
 * if there is none with this index. */
evtr_text evtr_report_note(const evtr_report* report, size_t note);

/* The library's version, such as "1.0.0". It lives for ever. */
const char* evtr_version(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* EVT_READER_H_ */
