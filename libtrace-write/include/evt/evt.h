/* evtrace writer, C interface: sessions, event types, streams, strings. Recording itself is in <evt/emit.h>; what only
 * programs that copy a trace need is in <evt/evt_copy.h>.
 *
 * Whatever fails here leaves tracing off and the program unharmed: a writer, stream or type that could not be had is
 * one that records nothing, and may be used like any other. All functions may be called from any thread, at any time;
 * a stream, though, has one producer at a time. Text is UTF-8, NUL-terminated, copied before the call returns.
 *
 * Names of the library are exported where its sources are compiled with EVT_EXPORT, as our own builds of it are. Who
 * compiles them into a library of their own does without, and with -fvisibility=hidden: then a process may have several
 * copies, of several versions, each for itself.
 *
 * Structures grow at their ends. The inline functions pass the sizes that they have in this program to the functions
 * whose names end in a number, which the library exports (docs/ABI.md).
 */
#ifndef EVT_EVT_H_
#define EVT_EVT_H_

#include <evt/code.h>
#include <evt/describe.h>
#include <stdint.h>

#define EVT_VERSION "0.1.0"
#define EVT_VERSION_NUMBER 0x000100 /* major << 16 | minor << 8 | patch: for #if */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct evt_writer evt_writer; /* one session */
typedef struct evt_stream evt_stream; /* one producer's sequence of events; defined in <evt/emit.h> */

#ifdef EVT_EXPORT
#pragma GCC visibility push(default)
#endif

/* How a field lies in a row: what evt_field declares of it. */
typedef struct evt_field_layout {
  uint16_t kind;
  uint16_t shape;
  uint32_t width;
} evt_field_layout;

typedef struct evt_row_layout {
  uint32_t field_count;
  const evt_field_layout* fields;
} evt_row_layout;

/* A declared event type; lives as long as the process. */
typedef struct evt_type {
  uint32_t number;              /* in this session; 0: switched off, or could not be declared */
  const evt_row_layout* layout; /* NULL: not known. Programs that check what they emit compare it with this */
} evt_type;

/* What went wrong and where, in one lower-case sentence. Always filled by the call it is given to; it never grows. */
typedef struct evt_error {
  int code; /* enum evt_code; EVT_OK: nothing, and the message is empty */
  char message[256];
} evt_error;

/* What a notice is about; later versions may have more. */
enum evt_notice_kind {
  EVT_NOTICE_PATH = 1,      /* the trace of an earlier run, or this one, has another name than was asked for */
  EVT_NOTICE_RING = 2,      /* the ring is elsewhere, or in private memory, so that a kill loses events */
  EVT_NOTICE_TYPES = 3,     /* patterns of EVTRACE that no declared type matched */
  EVT_NOTICE_STRUCTURE = 4, /* a structure of a later version has values that this library does not know */
  EVT_NOTICE_FACTS = 5,     /* the session is anonymous, and leaves facts out */
  EVT_NOTICE_SITE = 6,      /* a line of <evt/trace_macros.h> records nothing: its type was declared otherwise before */
};

/* Something that the user of a program should know of its session, and that is no error. */
typedef struct evt_notice {
  uint32_t kind; /* enum evt_notice_kind */
  uint32_t reserved;
  const char* message; /* one sentence; valid during the call */
} evt_notice;

/* A clock of the caller's own: simulated time, a device, a file that is converted. */
typedef struct evt_clock {
  uint64_t (*now)(void* context); /* ticks; NULL: every event comes by evt_begin_at */
  void* context;
  uint64_t hz;             /* ticks per second, exact: no other clock is paired with this one */
  uint64_t start_ticks;    /* its reading at the session's start */
  uint32_t hz_denominator; /* ticks per second are hz / this; 0: 1 */
  uint32_t reserved;
  /* The session's time in nanoseconds at this moment, for a clock that is paired with it now and then, as the machine's
   * counter is with CLOCK_MONOTONIC: then `hz` need not be exact, `start_ticks` is not used, and a clock that steps
   * (a device that begins again) is noticed within a quarter of a second, and begins an epoch. NULL: it is not paired.
   * `now` and this are called by the writer's thread too. */
  int64_t (*now_ns)(void* context);
} evt_clock;

/* Takes one whole block, its header, payload and padding: `size` bytes, all or none; 0, or an errno that ends the
 * session. A call never has a part of a block, nor more than one, so a program may keep, drop or send blocks one by
 * one. Called by the flusher's thread, or with `flush_inline` by whichever thread flushes, the writer's lock held; one
 * call at a time. */
typedef int (*evt_sink)(void* context, const void* bytes, size_t size);

enum evt_full {
  /* Wait for a free slot. The flusher frees one, or makes the ring larger, within milliseconds, unless it is kept from
   * that: then the event makes the ring larger itself. If there is none in time, events are dropped until there is. */
  EVT_FULL_WAIT = 0,
  EVT_FULL_DROP = 1, /* drop at once: nothing waits, and the flusher alone makes the ring larger */
};
#define EVT_WAIT_FOR_EVER 0xFFFFFFFFu

/* A way to store rows in less space: see <evt/compact.h>. */
typedef struct evt_compactor evt_compactor;

/* Zero is the default of every option. */
typedef struct evt_options {
  const evt_session_info* session; /* what it leaves zero the writer finds out */
  const evt_clock* clock;          /* NULL: the processor's time stamp counter, or CLOCK_MONOTONIC */
  uint64_t ring_size;     /* most bytes of rows in memory; 0: a quarter of what shared memory has, 256 MiB at most */
  uint8_t full;           /* enum evt_full: what an event does that finds the ring full */
  uint8_t flush_inline;   /* no ring, no flusher: the thread that fills a buffer writes it. For single-threaded
                           * programs and those that copy a trace; a kill loses what the buffers hold */
  uint8_t append;         /* evt_open: add a session to an existing trace instead of replacing it */
  uint8_t anonymous;      /* leave out what names the program, its user and its machine (FORMAT.md, section 6.1) */
  uint32_t full_wait_ms;  /* how long EVT_FULL_WAIT waits; 0: 10 ms; EVT_WAIT_FOR_EVER */
  uint32_t buffer_size;   /* with flush_inline: bytes of each stream's buffer, 4 KiB to 8 MiB; 0: 64 KiB */
  uint32_t close_wait_ms; /* evt_close: how long the reader of a pipe, or of what else is no regular file, may take
                           * nothing; 0: 1000; EVT_WAIT_FOR_EVER */
  void (*on_error)(void* context, const evt_error* error); /* called once, when the first write fails */
  void* on_error_context;
  const evt_compactor* compact; /* NULL: rows are stored as they are */
  /* Called once for each notice, before the call returns that brought it about; no lock is held. NULL: notices are
   * printed on standard error, if that is a terminal. */
  void (*on_notice)(void* context, const evt_notice* notice);
  void* on_notice_context;
  /* 1: the program may end soon, as one of many: the ring begins with 120 KiB of rows instead of 2 MiB, which take a
   * millisecond, and grows with what streams fill. An event that finds it full meanwhile is what `full` chooses. */
  uint32_t short_lived;
  uint32_t reserved;
  /* With %n in the path of evt_open: the session goes on in a new file before a block that would make this one longer
   * than so many bytes, at least 1 MiB, or when it is so old; 0: never. A file is at least 8 times as long as the
   * metadata that it begins with. All files together are the trace; each can be read without the others. */
  uint64_t rotate_bytes;
  uint64_t rotate_ns;
  /* Earlier files of the pattern are deleted, the oldest first, when together they have more bytes than this, at least
   * 2 * rotate_bytes, or when they were last written longer ago; 0: none is. The file that is being written comes on
   * top. Without rotate_bytes a file has an eighth of keep_bytes, or 1 MiB. Deleted are regular files of this user that
   * begin with a session of this program, and that no living program writes: once the next file has begun, or when the
   * disk is full. */
  uint64_t keep_bytes;
  uint64_t keep_ns;
} evt_options;

/* The totals of a session so far; rows of events, reserved rows not counted. */
typedef struct evt_counts {
  uint64_t events_written; /* handed to the sink */
  uint64_t bytes_written;
  uint64_t texts_cut; /* texts too long for their field, recorded up to a character boundary */
  uint64_t lost[16];  /* by cause (enum evt_lost_cause); there is room for causes to come */
} evt_counts;

/* How large the structures of a program are, of the headers that it was compiled with. */
typedef struct evt_sizes_ {
  uint32_t sizes; /* of this one */
  uint32_t options;
  uint32_t session_info;
  uint32_t clock;
  uint32_t merged_part;
  uint32_t left_out;
  uint32_t event_type;
  uint32_t field;
  uint32_t label;
  uint32_t facet;
  uint32_t facet_field;
  uint32_t stream_info;
  uint32_t fact_info;
} evt_sizes_;

static inline const evt_sizes_* evt_sizes_of_this_(void) {
  static const evt_sizes_ sizes = {sizeof(evt_sizes_),     sizeof(evt_options),     sizeof(evt_session_info),
                                   sizeof(evt_clock),      sizeof(evt_merged_part), sizeof(evt_left_out),
                                   sizeof(evt_event_type), sizeof(evt_field),       sizeof(evt_label),
                                   sizeof(evt_facet),      sizeof(evt_facet_field), sizeof(evt_stream_info),
                                   sizeof(evt_fact_info)};
  return &sizes;
}

/* What the inline functions below call. */
evt_writer* evt_open_1(const char* path, const evt_options* options, const evt_sizes_* sizes, evt_error* error);
evt_writer* evt_open_from_env_1(const evt_options* options, const evt_sizes_* sizes, evt_error* error);
evt_writer* evt_session_1(const evt_options* options, const evt_sizes_* sizes, evt_error* error);
evt_writer* evt_open_fd_1(int fd, const evt_options* options, const evt_sizes_* sizes, evt_error* error);
evt_writer* evt_open_sink_1(evt_sink sink, void* context, const evt_options* options, const evt_sizes_* sizes,
                            evt_error* error);
const evt_type* evt_declare_1(evt_writer* writer, const evt_event_type* type, const evt_sizes_* sizes,
                              evt_error* error);
void evt_writer_counts_1(evt_writer* writer, evt_counts* counts, size_t size);

/* Opens a session that writes to a file. In `path`, %p means the process's number, %t the time, %% a %. A regular
 * file in its place is unlinked and made anew with mode 0600, so that a process that has the old one open keeps it; a
 * FIFO or character device is written to as it is, a block device is refused. An unfinished trace is not replaced: what
 * a killed program left, its ring included, is renamed to app.START.evt; beside that of a living one, app.PID.evt is
 * written. Either is a notice.
 *
 * The ring is a file in the folder that EVTRACE_RING_DIR names by an absolute path, or else in /dev/shm. If neither can
 * have it, it is in private memory, so that a kill loses what the trace does not have yet: a notice, of every way to
 * open a session. Rings that programs of this user left, and that no trace needs, are removed, but for the newest.
 *
 * A link is never followed: the trace takes its place, with `append` too, whether it leads to a file or nowhere; one
 * to something that is no file is refused. "-", /dev/stdout, /dev/stderr and /dev/fd/N are not opened but duplicated,
 * and written where they are; a terminal is refused.
 *
 * With %n once in the name of the file, such as app.%n.evt, that is a number of six digits, one more than the last that
 * is there: no file is replaced. evt_options.rotate_bytes and keep_bytes make such files a trace within a budget.
 *
 * `options` and `error` may be NULL. NULL when it cannot be opened. */
static inline evt_writer* evt_open(const char* path, const evt_options* options, evt_error* error) {
  return evt_open_1(path, options, evt_sizes_of_this_(), error);
}

/* Opens the session that the environment asks for: EVTRACE=path[,types=TYPES][,policy=wait|drop][,wait=MS|forever]
 * [,append][,inline][,compact|rows][,anonymous][,rotate=SIZE|AGE][,keep=SIZE|AGE]. SIZE is a number of bytes with K, M
 * or G behind it, AGE one with s, m, h or d; either or both, as rotate=64M|1h. TYPES is GLOB:GLOB... for only these
 * event types, or +GLOB,-GLOB... to switch on and off what differs from the program's choice; the last pattern that
 * matches a type counts. NULL, with code EVT_OK, when it asks for none: it is not set, empty, 0, off, no, false, none
 * or disabled. 1, on, yes, true, all and enabled are refused, as there has to be a path; ./on is one. The variable is
 * not heeded in a program that runs with more rights than its user. `options` are what it leaves open. Patterns that no
 * declared type matched until evt_close are a notice. The notices of such a session are printed on standard error
 * always, as who sets the variable is not who wrote the program. Unless there is a default session (evt_set_default),
 * it becomes that. */
static inline evt_writer* evt_open_from_env(const evt_options* options, evt_error* error) {
  return evt_open_from_env_1(options, evt_sizes_of_this_(), error);
}

/* The session that the libraries and the program of one process share: the default session (evt_set_default), if there
 * is one, else that of evt_open_from_env, opened now; while it is open all callers get the same one, with the options
 * of the first. Each successful call is to be followed by one evt_session_release. NULL, with code EVT_OK, when there
 * is none. A fork child has none until it calls this itself. Any thread, not signal handlers. */
static inline evt_writer* evt_session(const evt_options* options, evt_error* error) {
  return evt_session_1(options, evt_sizes_of_this_(), error);
}

/* The caller records nothing more in the session of evt_session; `writer` may be NULL. The last one closes it, if
 * evt_session opened it, as evt_close does, with the same results; until then the others record on. Streams that the
 * caller opened are its own to close. EVT_CODE_INVALID: evt_session did not return it, or it was released as often. */
int evt_session_release(evt_writer* writer, evt_error* error);

/* As evt_open, for a descriptor (file, pipe, socket), which stays the caller's and must stay open until evt_close. If
 * it is closed before, and its number given to another file, nothing is written there: the session ends with an error.
 * The same holds for the descriptors that a session opens itself, which have high numbers. */
static inline evt_writer* evt_open_fd(int fd, const evt_options* options, evt_error* error) {
  return evt_open_fd_1(fd, options, evt_sizes_of_this_(), error);
}

/* As evt_open, for a function that takes the blocks. */
static inline evt_writer* evt_open_sink(evt_sink sink, void* context, const evt_options* options, evt_error* error) {
  return evt_open_sink_1(sink, context, options, evt_sizes_of_this_(), error);
}

/* The session that <evt/trace_macros.h> records in from now on, until it is closed; NULL: none. A fork child has none
 * until it sets its own. Any thread, while others record: what they are in the middle of still goes where it went. */
void evt_set_default(evt_writer* writer);

/* Writes what all streams have recorded so far, and waits until it is written, or cannot be: the session is closed, or
 * its disk is full. For a trace that is read, copied or sent away while it is recorded; a kill loses nothing without
 * it. Any thread. With flush_inline streams are written by their producers alone, evt_stream_flush, and this does
 * nothing. */
void evt_flush(evt_writer* writer);

/* Writes what the streams still hold, ends the session and reports the error that kept anything from being written, if
 * one did; 0 or an evt_code. A full disk that had room again in time is no error here, though on_error was called.
 * Where a file cannot be written, its ring stays, with the rows that the file lacks, as that of a killed program does;
 * the error has their number. `evt check --recover`, or the next evt_open of the path, puts them into the file.
 * A pipe whose reader takes nothing for close_wait_ms ends the session with an error, and what could not be written is
 * counted as lost; a reader that goes on, however slowly, gets all. A function that does not return is waited for.
 * Streams and types stay valid and record nothing from now on, so threads that still emit do no harm; what they emit
 * while this runs may or may not be in the file. A second close does nothing and returns EVT_CODE_CLOSED; in a fork
 * child, which has nothing to close of its parent's sessions, as where atexit calls this, it does nothing and returns
 * 0. Of a session that is closed a few KiB stay, and what streams and types refer to. A stream with an event that was
 * begun and neither committed nor cancelled is written up to that event. If later events were lost behind it, the trace
 * counts them (cause "unfinished"), and this returns EVT_CODE_INVALID. */
int evt_close(evt_writer* writer, evt_error* error);

/* Declares an event type. The same name with the same fields gives the same type, fields added at the end make it grow;
 * any other difference is an error that names the field, and the returned type records nothing; after evt_close too.
 * Never NULL. */
static inline const evt_type* evt_declare(evt_writer* writer, const evt_event_type* type, evt_error* error) {
  return evt_declare_1(writer, type, evt_sizes_of_this_(), error);
}

/* Declares a standard event, by its number (enum evt_standard_event). Its fields, with their widths and in their order,
 * are in format-spec/REGISTRY.md. Another number is an error, and the returned type records nothing. Never NULL. */
const evt_type* evt_declare_standard(evt_writer* writer, uint32_t number, evt_error* error);

/* Switches the event types whose names the pattern matches (* any characters, ? any one) on or off, those declared so
 * far and those to come; how many there are so far. A later pattern overrules an earlier one, those of EVTRACE too: a
 * type that is to be off unless its user asks for it is declared so (off_by_default). An event of a type that is off
 * costs one test; evt_is_on tells. The writer's own events are two types more: trace.overhead, what tracing took, and
 * process.stopped; sessions on the caller's own clock and copies of traces have none of them.
 */
uint32_t evt_switch_types(evt_writer* writer, const char* glob, int on);

/* A new stream. Never NULL. */
evt_stream* evt_stream_open(evt_writer* writer, const char* name);

/* The id of a stream in its session; 0 of one that records nothing. */
uint32_t evt_stream_id(const evt_stream* stream);

/* Writes the rows that the stream still holds, and waits until they are written, or cannot be: the session is closed,
 * or its disk is full. A kill loses nothing without it. REQUIRES: called by its producer. */
void evt_stream_flush(evt_stream* stream);

/* Ends a stream: writes what it holds and gives its buffer back. The handle stays valid and records nothing. REQUIRES:
 * called by its producer. */
void evt_stream_seal(evt_stream* stream);

/* The same, and frees the stream: the handle ends with this call. For programs that open streams again and again, as
 * one for each request. A row that was left open is abandoned. The stream of a thread is only sealed. REQUIRES: called
 * by its producer, once, and not by a signal handler. */
void evt_stream_close(evt_stream* stream);

/* Records that the stream's time steps back here and that it was meant (a replay, a reset clock): later events are
 * ordered by their own stamps, not after what came before. REQUIRES: called by its producer. */
void evt_stream_jump(evt_stream* stream);

/* Records that the caller dropped `count` events here, the first of them at `first_ticks`, the last at `last_ticks`:
 * they are counted and located like losses of the writer's own. `cause` is an enum evt_lost_cause. REQUIRES: called by
 * the stream's producer. */
void evt_stream_lost(evt_stream* stream, uint16_t cause, uint64_t count, uint64_t first_ticks, uint64_t last_ticks);

/* Records that the stream ended at `ticks`: nothing was recorded in it later, nor is to be. It is one row; the buffer
 * stays until evt_stream_seal. Streams that are sealed record no such row by themselves. Without room the row is left
 * out. REQUIRES: called by the stream's producer. */
void evt_stream_end(evt_stream* stream, uint64_t ticks);

/* The stream of the calling thread, made at its first call and sealed when the thread ends; the handle is that thread's
 * and ends with it. Fetch it once per thread, not once per event. */
evt_stream* evt_this_thread(evt_writer* writer);

/* The id of a text, to be recorded in its place; the same text has the same id. Not for the hot path: it locks. Text
 * over EVT_MAX_STRING bytes is shortened at a character. 0, the empty text, when nothing can be recorded. */
uint32_t evt_intern(evt_writer* writer, const char* text, size_t size);

/* States something of the session or of a thing in it that its description does not have. `id` is 0 with
 * EVT_FACT_SCOPE_SESSION, a stream's evt_stream_id, or an event type's number. Keys are OpenTelemetry's names of
 * resources (service.name) where it has one, else names in reverse DNS; EVT_FACT_STREAM_NAME renames a stream. Of one
 * key of one thing the last value counts; the same value again records nothing. A kill does not lose it. Not for the
 * hot path, nor for signal handlers: it locks. A value over EVT_MAX_FACT_VALUE bytes is shortened at a character.
 *
 * 0, or the evt_code that `error`, which may be NULL, has too: EVT_CODE_INVALID: no scope or key, or a key over
 * EVT_MAX_FACT_KEY bytes; EVT_CODE_MEMORY: no memory, or the facts of the session would take more than 16 MiB;
 * EVT_CODE_CLOSED: the session is closed, or cannot be written. An anonymous session leaves all facts out: 0, and a
 * notice. */
int evt_fact(evt_writer* writer, uint16_t scope, uint64_t id, const char* key, const char* value, evt_error* error);

/* The session's clock, now. 0 without a writer. */
uint64_t evt_writer_now(const evt_writer* writer);

/* Ticks per second of the counter that sessions of this process are timed by; 0: they use CLOCK_MONOTONIC. Where no
 * processor or hypervisor states the rate, it is measured, which takes 2 ms of each evt_open. A program that starts
 * many others hands it down to them as a decimal number in the environment variable EVTRACE_COUNTER_HZ, which evt_open
 * uses instead, but in programs with more rights than their user. Any thread. */
uint64_t evt_counter_hz(void);

/* The totals so far. Zeros without a writer. */
static inline evt_counts evt_writer_counts(evt_writer* writer) {
  evt_counts counts;
  evt_writer_counts_1(writer, &counts, sizeof counts);
  return counts;
}

/* The notices of a session so far, each followed by a newline: writes at most `size` bytes of them to `out`, a NUL
 * included, and returns how many bytes all have without it, as snprintf does. Also of a closed session. Any thread. */
size_t evt_writer_notices(evt_writer* writer, char* out, size_t size);

/* Where the session writes, absolute; empty when that is no file. Lives as long as the process. */
const char* evt_writer_path(const evt_writer* writer);

/* EVT_VERSION of the library that runs; the format's version is EVT_FORMAT_NAME. */
const char* evt_version(void);

#ifdef EVT_EXPORT
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif /* EVT_EVT_H_ */
