/* evtrace writer, C interface: sessions, event types, streams, strings. Recording itself is in <evt/emit.h>; functions
 * for programs that copy a trace are in <evt/evt_copy.h>.
 *
 * A failure here turns tracing off and never harms the program: a writer, stream or type that could not be made records
 * nothing, and may be used like any other. All functions may be called from any thread, at any time; a stream, though,
 * has one producer at a time. Text is UTF-8, NUL-terminated, copied before the call returns. A pointer may be NULL only
 * where its function or structure says so; a writer always may.
 *
 * The library exports its names if its sources are compiled with EVT_EXPORT, as in our own builds. To compile them into
 * another library, omit it and use -fvisibility=hidden: a process may then have several independent copies, of several
 * versions.
 *
 * Structures grow at their ends. The inline functions pass this program's sizes to the functions whose names end in a
 * number, which the library exports (docs/ABI.md).
 */
#ifndef EVT_EVT_H_
#define EVT_EVT_H_

#include <evt/code.h>
#include <evt/describe.h>
#include <stdint.h>

#define EVT_VERSION "1.0.0"
#define EVT_VERSION_NUMBER 0x010000 /* major << 16 | minor << 8 | patch: for #if */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct evt_writer evt_writer; /* one session */
typedef struct evt_stream evt_stream; /* one producer's sequence of events; defined in <evt/emit.h> */

#ifdef EVT_EXPORT
#pragma GCC visibility push(default)
#endif

/* How a field lies in a row, as declared by evt_field. */
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
  const evt_row_layout* layout; /* NULL: unknown. For programs that check what they emit against it */
} evt_type;

/* What went wrong and where, in one lower-case sentence. Every call that takes one fills it. It never grows. */
typedef struct evt_error {
  int code; /* enum evt_code; EVT_OK: nothing, and the message is empty */
  char message[256];
} evt_error;

/* The subject of a notice; later versions may add more. */
enum evt_notice_kind {
  EVT_NOTICE_PATH = 1,      /* the trace of an earlier run, or this one, has another name than requested */
  EVT_NOTICE_RING = 2,      /* the ring is elsewhere, or in private memory, in which case a kill loses events */
  EVT_NOTICE_TYPES = 3,     /* patterns of EVTRACE that no declared type matched */
  EVT_NOTICE_STRUCTURE = 4, /* a structure of a later version contains values that this library does not know */
  EVT_NOTICE_FACTS = 5,     /* the session is anonymous, and leaves out facts */
  EVT_NOTICE_SITE = 6, /* a line of <evt/trace_macros.h> records nothing: its type was declared differently before */
  EVT_NOTICE_SNAPSHOT = 7, /* a snapshot that evt_options.snapshot asks for was taken, or was not */
};

/* Something that the user of a program should know about its session, but not an error. */
typedef struct evt_notice {
  uint32_t kind; /* enum evt_notice_kind */
  uint32_t reserved;
  const char* message; /* one sentence; valid during the call */
} evt_notice;

/* A clock of the caller: simulated time, a device, a file that is converted. */
typedef struct evt_clock {
  uint64_t (*now)(void* context); /* ticks; NULL: every event is recorded with evt_begin_at */
  void* context;
  uint64_t hz;             /* ticks per second, exact: no other clock is paired with this one */
  uint64_t start_ticks;    /* its reading at the session's start */
  uint32_t hz_denominator; /* ticks per second are hz / this; 0: 1 */
  uint32_t reserved;
  /* The session's time in nanoseconds now, for a clock that is regularly paired with it, as the machine's counter is
   * with CLOCK_MONOTONIC: `hz` need not be exact, `start_ticks` is not used, and a clock that steps (a device that
   * restarts) is noticed within a quarter of a second and begins an epoch. NULL: not paired. The writer's thread calls
   * this and `now` too. */
  int64_t (*now_ns)(void* context);
} evt_clock;

/* Takes one whole block (header, payload and padding): `size` bytes, all or none. Returns 0, or an errno, which ends
 * the session: what was recorded by then and is not taken counts as lost, later events are not even counted. Each call
 * gets exactly one block, so a program may keep, drop or send blocks one by one. Called by the flusher's thread, or
 * with `flush_inline` by whichever thread flushes, with the writer's lock held; one call at a time. */
typedef int (*evt_sink)(void* context, const void* bytes, size_t size);

enum evt_full {
  /* Wait for a free slot. The flusher frees one, or makes the ring larger, within milliseconds. If it is kept from
   * that, the event makes the ring larger itself. If no slot is free in time, events are dropped until one is. */
  EVT_FULL_WAIT = 0,
  EVT_FULL_DROP = 1, /* drop at once: nothing waits, and only the flusher makes the ring larger */
};
#define EVT_WAIT_FOR_EVER 0xFFFFFFFFu

/* A way to store rows in less space: see <evt/compact.h>. */
typedef struct evt_compactor evt_compactor;

/* Zero is the default of every option. */
typedef struct evt_options {
  const evt_session_info* session; /* the writer finds out what this leaves zero */
  const evt_clock* clock;          /* NULL: the processor's time stamp counter, or CLOCK_MONOTONIC */
  uint64_t ring_size;     /* most bytes of rows in memory; 0: a quarter of free shared memory, at most 256 MiB */
  uint8_t full;           /* enum evt_full: what an event does if the ring is full */
  uint8_t flush_inline;   /* no ring, no flusher: the thread that fills a buffer writes it. For single-threaded
                           * programs and those that copy a trace; a kill loses what the buffers hold */
  uint8_t append;         /* evt_open: add a session to an existing trace instead of replacing it */
  uint8_t anonymous;      /* leave out what names the program, its user and its machine (FORMAT.md, section 6.1) */
  uint32_t full_wait_ms;  /* how long EVT_FULL_WAIT waits; 0: 10 ms; EVT_WAIT_FOR_EVER */
  uint32_t buffer_size;   /* with flush_inline: bytes of each stream's buffer, 4 KiB to 8 MiB; 0: 64 KiB */
  uint32_t close_wait_ms; /* evt_close: how long the reader of a pipe, or of anything else but a regular file, may take
                             nothing; 0: 1000; EVT_WAIT_FOR_EVER */
  void (*on_error)(void* context, const evt_error* error); /* called once, when the first write fails */
  void* on_error_context;
  const evt_compactor* compact; /* NULL: rows are not compressed */
  /* Called once for each notice, before the call that caused it returns; no lock is held. The thread that takes a
   * snapshot calls it, too. NULL: notices are printed on standard error, if that is a terminal. */
  void (*on_notice)(void* context, const evt_notice* notice);
  void* on_notice_context;
  /* 1: the program may end soon, as one of many: the ring begins with 120 KiB of rows instead of 2 MiB, which take a
   * millisecond, and grows as streams fill it. `full` decides about events that find it full meanwhile. */
  uint32_t short_lived;
  uint32_t reserved;
  /* With %n in the path of evt_open: the session continues in a new file before a block that would make this one longer
   * than so many bytes, at least 1 MiB, or when it is so old; 0: never. A file is at least 8 times as long as the
   * metadata that it begins with. All files together are the trace; each can be read without the others. */
  uint64_t rotate_bytes;
  uint64_t rotate_ns;
  /* Earlier files of the pattern are deleted, the oldest first, when together they have more bytes than this, at least
   * 2 * rotate_bytes, or when they were last written longer ago; 0: never. The current file is additional. Without
   * rotate_bytes a file has an eighth of keep_bytes, or 1 MiB. Deletes only regular files of this user that begin with
   * a session of this program, and that no living program writes: once the next file has begun, or when the disk is
   * full. */
  uint64_t keep_bytes;
  uint64_t keep_ns;
  /* A flight recorder: keeps the last so many bytes, at least 2 MiB; 0: not. It excludes rotate, keep and append. The
   * session continues in segments of a sixteenth, at least 1 MiB, in the folder of its ring, which must be in shared
   * memory; the oldest is deleted. The file at the path gets what is kept when the session is closed, or is opened
   * again after a kill; until then it has the beginning of the session, and readers find the segments. With %n in the
   * path the segments are the numbered files. If the folder has less room, less is kept: a notice. */
  uint64_t flight_bytes;
  uint64_t flight_ns; /* with flight_bytes: keeps nothing that was written longer ago; 0: no limit. The current segment
                         stays */
  /* Called when the session has continued in another file, so that a runtime can describe its state again: the events
   * that described it before may be deleted. NULL: not. The thread that writes the trace calls it, with all signals
   * blocked and a stack of 128 KiB, and writes nothing until it returns. It may record events on `stream`, which is the
   * library's and no other thread's: of types that were declared, with texts that were interned, before. It must not
   * call other functions of this library, nor wait for threads that record. It never waits for room: events that find
   * none are counted as lost. */
  void (*on_segment)(void* context, evt_writer* writer, evt_stream* stream);
  void* on_segment_context;
  /* Snapshots that the session takes of itself, as evt_snapshot does. `snapshot` is the path, as of evt_snapshot; NULL:
   * none. `snapshot_when`: take one after an event of a type whose name this pattern matches (*, ?), declared now or
   * later; NULL: evt_snapshot_soon alone takes them. The event is noticed within a fifth of a second. A thread of the
   * library copies, and the program records on. Events within snapshot_rearm_ns of the end of a snapshot are only
   * counted, as are those that come while one is due or taken. A snapshot that is due when the session is closed is
   * taken then. A snapshot has the reason as a fact, and so has the trace the path (REGISTRY.md); each is a notice. */
  const char* snapshot;
  const char* snapshot_when;
  /* The next three need snapshot_when. */
  uint64_t snapshot_after_ns; /* take it so long after the event */
  uint64_t snapshot_rearm_ns; /* 0: 60 s */
  uint32_t snapshot_most;     /* at most so many, and at most 1,000; 0: 10. With more than one the path needs %n */
  uint32_t reserved_too;
} evt_options;

/* The totals of a session so far; events only, without reserved rows. */
typedef struct evt_counts {
  uint64_t events_written; /* handed to the sink */
  uint64_t bytes_written;
  uint64_t texts_cut; /* texts too long for their field, recorded up to a character boundary */
  uint64_t lost[16];  /* by cause (enum evt_lost_cause); with room for future causes */
} evt_counts;

/* Sizes of the structures in the headers that a program was compiled with. */
typedef struct evt_sizes_ {
  uint32_t sizes; /* size of this structure */
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

/* Called by the inline functions below. */
evt_writer* evt_open_1(const char* path, const evt_options* options, const evt_sizes_* sizes, evt_error* error);
evt_writer* evt_open_from_env_1(const evt_options* options, const evt_sizes_* sizes, evt_error* error);
evt_writer* evt_session_1(const evt_options* options, const evt_sizes_* sizes, evt_error* error);
evt_writer* evt_open_fd_1(int fd, const evt_options* options, const evt_sizes_* sizes, evt_error* error);
evt_writer* evt_open_sink_1(evt_sink sink, void* context, const evt_options* options, const evt_sizes_* sizes,
                            evt_error* error);
const evt_type* evt_declare_1(evt_writer* writer, const evt_event_type* type, const evt_sizes_* sizes,
                              evt_error* error);
void evt_writer_counts_1(evt_writer* writer, evt_counts* counts, size_t size);

/* Opens a session that writes to a file. In `path`, %p means the process id, %t the time, %% a %. An existing regular
 * file is unlinked and created again with mode 0600, so that a process that has the old one open keeps it. A FIFO or
 * character device is written to; a block device is refused. An unfinished trace is not replaced: the trace of a killed
 * program, with its ring, is renamed to app.START.evt; next to the trace of a living program, app.PID.evt is written.
 * Either is a notice.
 *
 * The ring is a file in the folder that EVTRACE_RING_DIR names by an absolute path, or else in /dev/shm. If neither
 * works, it is in private memory, so that a kill loses what is not in the trace yet: a notice, however the session is
 * opened. Rings that programs of this user left, and that no trace needs, are removed, except the newest.
 *
 * A link is never followed: the trace takes its place, with `append` too, whether it leads to a file or nowhere; a link
 * to anything else is refused. "-", /dev/stdout, /dev/stderr and /dev/fd/N are not opened but duplicated, and written
 * at their current position; a terminal is refused.
 *
 * With %n once in the name of the file, such as app.%n.evt, %n is a number of six digits, one more than the last
 * existing one: no file is replaced. evt_options.rotate_bytes and keep_bytes make such files a trace within a budget.
 *
 * `options` and `error` may be NULL. Returns NULL if it cannot be opened. */
static inline evt_writer* evt_open(const char* path, const evt_options* options, evt_error* error) {
  return evt_open_1(path, options, evt_sizes_of_this_(), error);
}

/* Opens the session that the environment asks for: EVTRACE=path[,types=TYPES][,policy=wait|drop][,wait=MS|forever]
 * [,append][,inline][,compact|rows][,anonymous][,rotate=SIZE|AGE][,keep=SIZE|AGE][,flight=SIZE[,age=AGE]]
 * [,snapshot=PATH[,when=GLOB[,after=AGE][,rearm=AGE][,most=N]]]. SIZE is a number of bytes followed by K, M or G, AGE
 * one followed by s, m, h or d; either or both, such as rotate=64M|1h. Each option may be there once. TYPES is
 * GLOB:GLOB... for only these event types, or +GLOB,-GLOB... to change the program's choice; the last pattern that
 * matches a type counts. Returns NULL, with code EVT_OK, if it asks for none: it is not set, empty, 0, off, no, false,
 * none or disabled. 1, on, yes, true, all and enabled are refused, because a path is needed; ./on is one. The variable
 * is ignored in a program that runs with more rights than its user. `options` hold for everything that it does not set.
 * Patterns that no declared type matched until evt_close are a notice. The notices of such a session are always printed
 * on standard error, because the user who sets the variable did not write the program. It becomes the default session
 * (evt_set_default) unless there is one. */
static inline evt_writer* evt_open_from_env(const evt_options* options, evt_error* error) {
  return evt_open_from_env_1(options, evt_sizes_of_this_(), error);
}

/* The session that the libraries and the program of one process share: the default session (evt_set_default), if there
 * is one, else that of evt_open_from_env, opened now. While it is open all callers get the same one, with the options
 * of the first. Each successful call needs one evt_session_release. Returns NULL, with code EVT_OK, if there is none. A
 * fork child has none until it calls this itself. Any thread, not signal handlers. */
static inline evt_writer* evt_session(const evt_options* options, evt_error* error) {
  return evt_session_1(options, evt_sizes_of_this_(), error);
}

/* Releases the session of evt_session: the caller records nothing more in it. `writer` may be NULL. The last release
 * closes the session as evt_close does, with the same results, if evt_session opened it; until then the other callers
 * record on. The caller closes its own streams. EVT_CODE_INVALID: evt_session did not return `writer`, or it was
 * released as often. */
int evt_session_release(evt_writer* writer, evt_error* error);

/* Like evt_open, for a descriptor (file, pipe, socket), which stays the caller's and must stay open until evt_close. If
 * it is closed earlier, and its number reused for another file, nothing is written there: the session ends with an
 * error. The same holds for the descriptors that a session opens itself, which have high numbers. */
static inline evt_writer* evt_open_fd(int fd, const evt_options* options, evt_error* error) {
  return evt_open_fd_1(fd, options, evt_sizes_of_this_(), error);
}

/* Like evt_open, for a function that takes blocks. */
static inline evt_writer* evt_open_sink(evt_sink sink, void* context, const evt_options* options, evt_error* error) {
  return evt_open_sink_1(sink, context, options, evt_sizes_of_this_(), error);
}

/* Sets the session that <evt/trace_macros.h> records in until it is closed; NULL: none. A fork child has none until it
 * sets its own. Any thread, while others record: events that were begun still go to the old session. */
void evt_set_default(evt_writer* writer);

/* Writes what all streams have recorded so far, and waits until it is written, or cannot be: the session is closed, or
 * its disk is full. For a trace that is read, copied or sent away while it is recorded; not needed to protect against a
 * kill. Any thread. With flush_inline only the producers write their streams, evt_stream_flush, and this does
 * nothing. */
void evt_flush(evt_writer* writer);

/* For evt_snapshot. Zero is the default of each member but the first. */
typedef struct evt_snapshot_options {
  size_t size;      /* sizeof(evt_snapshot_options) */
  char* path;       /* takes the absolute or relative path of the snapshot, cut to path_size - 1 bytes */
  size_t path_size; /* how many bytes that has */
  /* Leaves out the blocks before the first one with an event of the last so many ns: the snapshot has at least these
   * events, and states how many are before it. If the clock has stepped, it has all. */
  uint64_t before_ns;
  uint64_t after_ns; /* waits so long before it copies, and takes that time's events too */
} evt_snapshot_options;

/* Copies what the session has recorded so far, all files of it that are kept, into a trace of its own: a closed session
 * with another uuid, to which nothing is ever added. In `path`, %n means a number of six digits, one more than the last
 * that is there, %p the process id, %t the time, %% a %. The file has mode 0600, and appears under its name when it is
 * complete; a file or link that is there is replaced. The calling thread copies, and other threads record on; with
 * flush_inline, the snapshot has what evt_stream_flush wrote. `options` may be NULL. Any thread; not in a signal
 * handler.
 *
 * Returns 0, or the evt_code, which `error` (may be NULL) has too: EVT_CODE_BUSY: another thread of the process takes a
 * snapshot, whose path the message has; EVT_CODE_INVALID: the session is not written to a regular file, or `path` is a
 * file of it, a device, a pipe or a socket; EVT_CODE_IO: not all that was recorded could be written, or the snapshot
 * not; EVT_CODE_CLOSED: the session is closed, or another process's. */
int evt_snapshot(evt_writer* writer, const char* path, const evt_snapshot_options* options, evt_error* error);

/* Asks for a snapshot at the path of evt_options.snapshot, and returns at once: a thread of the library takes it. A
 * request that comes before the last one is done is the same request. `snapshot_most` and `snapshot_rearm_ns` do not
 * limit it. Returns 0; EVT_CODE_INVALID: the session has no such path; EVT_CODE_CLOSED: it is closed, or another
 * process's. Any thread, any signal handler. */
int evt_snapshot_soon(evt_writer* writer);

/* Writes what the streams still hold, ends the session and reports the error that prevented writing, if any; returns 0
 * or an evt_code. A full disk that had room again in time is not an error here, though on_error was called. If the file
 * cannot be written, its ring stays, with the rows that the file lacks, like that of a killed program; the error states
 * their number. `evt check --recover`, or the next evt_open of the path, puts them into the file. A pipe whose reader
 * takes nothing for close_wait_ms ends the session with an error, and unwritten events are counted as lost; a reader
 * that continues, however slowly, gets all. A sink that does not return is waited for. Streams and types stay valid and
 * record nothing from now on, so threads that still emit do no harm; events that they emit while this runs may or may
 * not be in the file. A second close does nothing and returns EVT_CODE_CLOSED; in a fork child, which cannot close its
 * parent's sessions (as when atexit calls this), it does nothing and returns 0. A closed session keeps a few KiB, and
 * what streams and types refer to. A stream with an event that was begun and neither committed nor cancelled is written
 * up to that event. If later events were lost after it, the trace counts them (cause "unfinished"), and this returns
 * EVT_CODE_INVALID. */
int evt_close(evt_writer* writer, evt_error* error);

/* Declares an event type. The same name with the same fields returns the same type; fields added at the end extend it,
 * and fewer are the same type too. Any other difference in names, kinds or roles of fields is an error that names the
 * field, and the returned type records nothing, as after evt_close. Labels, descriptions and tags stay those of the
 * first declaration. Never NULL. */
static inline const evt_type* evt_declare(evt_writer* writer, const evt_event_type* type, evt_error* error) {
  return evt_declare_1(writer, type, evt_sizes_of_this_(), error);
}

/* Declares a standard event, by its number (enum evt_standard_event). format-spec/REGISTRY.md lists its fields, with
 * their widths and in their order. Another number is an error, and the returned type records nothing. Never NULL. */
const evt_type* evt_declare_standard(evt_writer* writer, uint32_t number, evt_error* error);

/* Switches the event types whose names the pattern matches (* any characters, ? any one) on or off, declared now or
 * later. Returns the number of types matched so far. A later pattern overrules an earlier one, including those of
 * EVTRACE: to keep a type off unless its user asks for it, declare it so (off_by_default). An event of a type that is
 * off costs one test; evt_is_on performs it. The writer has two event types of its own: trace.overhead, the time that
 * tracing took, and process.stopped; sessions on the caller's own clock and copies of traces have neither.
 */
uint32_t evt_switch_types(evt_writer* writer, const char* glob, int on);

/* Opens a new stream. Never NULL. */
evt_stream* evt_stream_open(evt_writer* writer, const char* name);

/* The id of a stream in its session; 0 if it records nothing. */
uint32_t evt_stream_id(const evt_stream* stream);

/* Writes the rows that the stream still holds, and waits until they are written, or cannot be: the session is closed,
 * or its disk is full. Not needed to protect against a kill. REQUIRES: called by its producer. */
void evt_stream_flush(evt_stream* stream);

/* Ends a stream: writes what it holds and gives its buffer back. The handle stays valid and records nothing. REQUIRES:
 * called by its producer. */
void evt_stream_seal(evt_stream* stream);

/* Like evt_stream_seal, and frees the stream: the handle is invalid after this call. For programs that open many
 * streams, such as one per request. A row that was left open is abandoned. The stream of a thread is only sealed.
 * REQUIRES: called by its producer, once, and not by a signal handler. */
void evt_stream_close(evt_stream* stream);

/* Records that the stream's time intentionally steps back here (a replay, a reset clock): later events are ordered by
 * their own stamps, not after earlier events. REQUIRES: called by its producer. */
void evt_stream_jump(evt_stream* stream);

/* Records that the caller dropped `count` events here, the first of them at `first_ticks`, the last at `last_ticks`:
 * they are counted and located like the writer's own losses. `cause` is an enum evt_lost_cause. REQUIRES: called by the
 * stream's producer. */
void evt_stream_lost(evt_stream* stream, uint16_t cause, uint64_t count, uint64_t first_ticks, uint64_t last_ticks);

/* Records that the stream ended at `ticks`: nothing was or will be recorded in it later. This takes one row; the buffer
 * stays until evt_stream_seal. Sealing a stream records no such row. Without room the row is left out. REQUIRES: called
 * by the stream's producer. */
void evt_stream_end(evt_stream* stream, uint64_t ticks);

/* The stream of the calling thread, made at its first call and sealed when the thread ends; the handle is that thread's
 * and ends with it. Fetch it once per thread, not once per event. */
evt_stream* evt_this_thread(evt_writer* writer);

/* Returns the id of a text, to be recorded in its place; equal texts have equal ids. Not for the hot path: it locks.
 * Text over EVT_MAX_STRING bytes is shortened at a character. Returns 0, the empty text, if nothing can be recorded. */
uint32_t evt_intern(evt_writer* writer, const char* text, size_t size);

/* Returns the id of a row that events refer to by fields of kind EVT_KIND_REFERENCE, such as a stack that many samples
 * share: the fields of `type`, `size` bytes as an event has them, in little endian. Equal rows have equal ids. Like
 * evt_intern it locks. Returns 0, which refers to no row, if nothing can be recorded or the row is over EVT_MAX_STRING
 * bytes. The fields are not checked: none may be ticks, and references nest at most EVT_MAX_REFERENCES deep. */
uint32_t evt_intern_row(evt_writer* writer, const evt_type* type, const void* fields, size_t size);

/* States a fact about the session, or about a thing in it, that its description does not contain. `id` is 0 with
 * EVT_FACT_SCOPE_SESSION, a stream's evt_stream_id, or an event type's number. Keys are OpenTelemetry's names of
 * resources (service.name) if it has one, else names in reverse DNS; EVT_FACT_STREAM_NAME renames a stream. The last
 * value of a key counts; an unchanged value records nothing. A kill does not lose it. Not for the hot path, nor for
 * signal handlers: it locks. A value over EVT_MAX_FACT_VALUE bytes is shortened at a character.
 *
 * Returns 0, or the evt_code, which `error` (may be NULL) has too: EVT_CODE_INVALID: no scope or key, or a key over
 * EVT_MAX_FACT_KEY bytes; EVT_CODE_MEMORY: no memory, or the facts of the session would take more than 16 MiB;
 * EVT_CODE_CLOSED: the session is closed, or cannot be written. An anonymous session leaves out all facts: 0, and a
 * notice. In a fork child, whose parent's session it is: 0, and nothing is recorded. */
int evt_fact(evt_writer* writer, uint16_t scope, uint64_t id, const char* key, const char* value, evt_error* error);

/* Present time of the session's clock. 0 without a writer. */
uint64_t evt_writer_now(const evt_writer* writer);

/* Ticks per second of the counter that times sessions of this process; 0: they use CLOCK_MONOTONIC. If no processor or
 * hypervisor states the rate, it is measured, which takes 2 ms of each evt_open. A program that starts many others can
 * pass it to them as a decimal number in the environment variable EVTRACE_COUNTER_HZ, which evt_open uses instead,
 * except in programs with more rights than their user. Any thread. */
uint64_t evt_counter_hz(void);

/* The totals so far. Zeros without a writer. */
static inline evt_counts evt_writer_counts(evt_writer* writer) {
  evt_counts counts;
  evt_writer_counts_1(writer, &counts, sizeof counts);
  return counts;
}

/* The notices of a session so far, each followed by a newline: writes at most `size` bytes of them to `out`, including
 * a NUL, and returns the full size without it, like snprintf. Also for a closed session. Any thread. */
size_t evt_writer_notices(evt_writer* writer, char* out, size_t size);

/* Absolute path of the session's file, of several the first; empty if it writes to none. Lives as long as the
 * process. */
const char* evt_writer_path(const evt_writer* writer);

/* EVT_VERSION of the running library; the format's version is EVT_FORMAT_NAME. */
const char* evt_version(void);

#ifdef EVT_EXPORT
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif /* EVT_EVT_H_ */
