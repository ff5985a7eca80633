/* Every number of the trace format, once. format-spec/FORMAT.md explains them (sections are named below). C99 and
 * C++11; no code, no includes but <stdint.h>. */
#ifndef EVT_FORMAT_H_
#define EVT_FORMAT_H_

#include <evt/c99.h>
#include <stdint.h>

/* A draft of a later version would have a name of its own, and the bit for drafts. */
#define EVT_FORMAT_NAME "1.0"
#define EVT_FORMAT_INCOMPAT UINT64_C(0)

/* Bits of SESSION's incompat: a reader refuses a session with one that it does not know. */
#define EVT_INCOMPAT_DRAFT (UINT64_C(1) << 63)

enum {
  EVT_FORMAT_MAJOR = 1,
  EVT_FORMAT_MINOR = 0,
};

/* Section 5: blocks. The fourth byte of the magic is the generation of the block header. */
#define EVT_MAGIC \
  "\x89"          \
  "EVT\r\n\x1a\n"

enum {
  EVT_MAGIC_SIZE = 8,
  EVT_MAGIC_GENERATION_AT = 3,
  EVT_BLOCK_HEADER_SIZE = 48,
  EVT_BLOCK_HEADER_MAX = 1024,
  EVT_EVENTS_HEADER_SIZE = 120, /* the block header included */
  EVT_ALIGNMENT = 8,
};

enum evt_block_type {
  EVT_BLOCK_SESSION = 1,
  EVT_BLOCK_CLOCK = 2,
  EVT_BLOCK_TYPES = 3,
  EVT_BLOCK_STREAMS = 4,
  EVT_BLOCK_STRINGS = 5,
  EVT_BLOCK_EVENTS = 6,
  EVT_BLOCK_SYNC = 7,
  EVT_BLOCK_INDEX = 8,
  EVT_BLOCK_TRAILER = 9,
  EVT_BLOCK_SEGMENT = 10,
  EVT_BLOCK_FACTS = 11,
  EVT_BLOCK_ATTACHMENT = 12, /* reserved, like the next */
  EVT_BLOCK_DIGEST = 13,
  EVT_BLOCK_PRIVATE = 0x8000, /* from here on private to a producer */
};

enum evt_block_flag {
  EVT_FLAG_RECOVERED = 1,  /* written from a ring after its writer died */
  EVT_FLAG_UNSORTED = 4,   /* a row is earlier than one before it */
  EVT_FLAG_COPYABLE = 8,   /* on a block that readers skip: it contains no numbers and no times of its session */
  EVT_FLAG_CONTINUED = 16, /* on SESSION: the session began in an earlier segment. Must not be ignored, nor the next */
  EVT_FLAG_MORE = 32,      /* on TRAILER: the session continues in another segment */
};

enum evt_codec { EVT_CODEC_NONE = 0, EVT_CODEC_ZSTD = 1 };

enum evt_layout {
  EVT_LAYOUT_ROWS = 0,
  EVT_LAYOUT_COLUMNS = 1,
  EVT_LAYOUT_MULTIPLEXED_ROWS = 2, /* rows of several streams */
  EVT_LAYOUT_MULTIPLEXED_COLUMNS = 3,
};

enum { EVT_MUST_END_SESSION = 0x80 }; /* must_understand: an unknown block with this bit ends its session */

#define EVT_BLOCK_NO_RECOVERED UINT64_MAX
#define EVT_DELTA_IN_STRING UINT32_MAX /* the row is held by a string: section 8.5 */

/* Section 6: fixed parts at the front of payloads. */
enum {
  EVT_SESSION_FIXED_SIZE = 72,
  EVT_SESSION_FIXED_SIZE_OF_DRAFTS = 64, /* from before 1.0-candidate */
  EVT_CLOCK_FIXED_SIZE = 48,
  EVT_SYNC_FIXED_SIZE = 56,
  EVT_INDEX_FIXED_SIZE = 32,
  EVT_TRAILER_FIXED_SIZE = 40,
  EVT_TRAILER_SEGMENT_SIZE = 56, /* in segments after the first */
  EVT_SEGMENT_FIXED_SIZE = 80,
  EVT_SEGMENT_STREAM_SIZE = 32,
  EVT_PIECE_TABLE_HEAD = 16, /* for multiplexed rows, section 7.3 */
  EVT_TYPE_RECORD_SIZE = 20,
  EVT_STREAM_RECORD_SIZE = 8,
  EVT_STRING_RECORD_SIZE = 8,
  EVT_FACT_RECORD_SIZE = 32,
};

enum evt_clock_kind {
  EVT_CLOCK_MONOTONIC = 1, /* CLOCK_MONOTONIC in nanoseconds */
  EVT_CLOCK_X86_TSC = 2,
  EVT_CLOCK_ARM_COUNTER = 3,
  EVT_CLOCK_OTHER = 4, /* given by the caller */
};

/* The time scale of a session's nanoseconds. */
enum evt_time_scale {
  EVT_TIME_SCALE_NOT_STATED = 0,
  EVT_TIME_SCALE_MONOTONIC = 1, /* CLOCK_MONOTONIC */
  EVT_TIME_SCALE_BOOTTIME = 2,  /* CLOCK_MONOTONIC plus suspended time */
  EVT_TIME_SCALE_TAI = 3,
  EVT_TIME_SCALE_POSIX = 4, /* UTC with days of 86,400 seconds */
  EVT_TIME_SCALE_SIMULATED = 5,
};

/* The subject of a fact. */
enum evt_fact_scope {
  EVT_FACT_SCOPE_SESSION = 1,
  EVT_FACT_SCOPE_STREAM = 2, /* by its id */
  EVT_FACT_SCOPE_TYPE = 3,   /* by its number */
  EVT_FACT_SCOPE_CLOCK = 4,  /* by its id */
  EVT_FACT_SCOPE_PART = 5,   /* a part of a merged session: by its index, from 0 */
};

/* Keys of facts that evtrace uses itself: REGISTRY.md. */
#define EVT_FACT_STREAM_NAME "evt.name" /* the stream's name from then on */
#define EVT_FACT_PART_PROGRAM "process.executable.name"
#define EVT_FACT_PART_PID "process.pid"
#define EVT_FACT_PART_HOST "host.name"
#define EVT_FACT_PART_BOOT "evt.boot_id"
#define EVT_FACT_PART_START "evt.start_utc_ns"
#define EVT_FACT_PART_NOT_KEPT "evt.not_kept"
#define EVT_FACT_SNAPSHOT "evt.snapshot." /* a number follows */
#define EVT_FACT_SNAPSHOT_REASON "evt.snapshot_reason"
#define EVT_FACT_SNAPSHOTS_PASSED_OVER "evt.snapshots_passed_over"
#define EVT_FACT_SUMS_OF_SAMPLES "evt.sums_of_samples"
#define EVT_FACT_SAMPLES_HANDLED "evt.run.programs_with_sigprof"
#define EVT_FACT_SAMPLES_BLOCKED "evt.run.threads_blocking_sigprof"
#define EVT_FACT_SAMPLES_BLOCKED_NS "evt.run.ns_blocking_sigprof"
#define EVT_FACT_SAMPLES_NO_TIMER "evt.run.threads_without_timer"
#define EVT_FACT_SAMPLES_NO_STACK "evt.run.samples_without_stack"
#define EVT_FACT_WAITS_NO_STACK "evt.run.waits_without_stack"
#define EVT_FACT_JIT_NAMES_CUT "evt.run.jit_names_cut"
#define EVT_FACT_INLINED_CUT "evt.run.files_without_inlined"
#define EVT_FACT_EXIT "evt.run.exit"

enum evt_sync_flag {
  EVT_SYNC_COPY = 1,      /* repeats one of an earlier part of the session */
  EVT_SYNC_NO_ANCHOR = 2, /* an outlier: no anchor of its clock */
};

/* Section 7: rows. */
enum {
  EVT_TYPE_FIRST_PINNED = 1, /* REGISTRY.md pins 1 to 1023 */
  EVT_TYPE_FIRST_FREE = 1024,
  EVT_TYPE_FIRST_RESERVED = 0xFF00,
  EVT_ROW_TIME_BASE = 0xFF00,
  EVT_ROW_LOST = 0xFF01,
  EVT_ROW_PADDING = 0xFF02,
  EVT_ROW_WIDE = 0xFF03,
  EVT_ROW_END = 0xFF04,
  EVT_TIME_BASE_PAYLOAD = 12,
  EVT_TIME_BASE_JUMP = 1, /* flag: the step back was meant */
  EVT_LOST_PAYLOAD = 18,
  EVT_SIZE_VARIABLE = 0xFFFF,
};

/* Where a session's streams write before the file. */
enum evt_ring_kind {
  EVT_RING_NONE = 0,
  EVT_RING_SHARED = 1,
  EVT_RING_PRIVATE = 2,
};

/* How the times of a session were mapped to the scale of the session that it was merged into. */
enum evt_alignment {
  EVT_ALIGNED_NONE = 0, /* it has the same scale */
  EVT_ALIGNED_SAME_CLOCK = 1,
  EVT_ALIGNED_SAME_BOOT = 2,
  EVT_ALIGNED_UTC = 3,
  EVT_ALIGNED_MESSAGES = 4,
  EVT_ALIGNED_BY_HAND = 5,
};

enum evt_lost_cause {
  EVT_LOST_RING_FULL = 1,
  EVT_LOST_TOO_LARGE = 2,
  EVT_LOST_OVERWRITTEN = 3,
  EVT_LOST_REENTERED = 4,
  EVT_LOST_SINK = 5,
  EVT_LOST_DAMAGE = 6,
  EVT_LOST_UNFINISHED = 7,
  EVT_LOST_CAUSES = 8, /* one more than the largest */
};

/* Section 8: fields. A kind defines the meaning of a value, a shape how to step over it. */
enum evt_kind {
  EVT_KIND_UNSIGNED = 1,
  EVT_KIND_SIGNED = 2,
  EVT_KIND_FLOAT = 3,
  EVT_KIND_BOOL = 4,
  EVT_KIND_ENUMERATION = 5,
  EVT_KIND_TEXT = 6,
  EVT_KIND_BYTES = 7,
  EVT_KIND_INTERNED = 8,
  EVT_KIND_TICKS = 9,
  EVT_KIND_TICK_DELTA = 10,
  EVT_KIND_REFERENCE = 11, /* id of a string that holds a row: section 8.5 */
};

enum evt_shape {
  EVT_SHAPE_FIXED = 0,     /* width bytes */
  EVT_SHAPE_COUNTED16 = 1, /* u16 n, n bytes */
  EVT_SHAPE_COUNTED32 = 2, /* u32 n, n bytes */
  EVT_SHAPE_ARRAY = 3,     /* u16 n, n elements of width bytes */
  EVT_SHAPE_LIST = 4,      /* u16 n, n times: u16 m, m bytes */
};

/* Future shapes: a reader steps over an unknown one by the count of bytes before it. */
enum {
  EVT_SHAPES_COUNTED16_FROM = 8,  /* u16 n, n bytes */
  EVT_SHAPES_COUNTED32_FROM = 16, /* u32 n, n bytes */
  EVT_SHAPES_UNSIZED_FROM = 32,   /* no count: nothing after it can be found */
};

/* Roles and units: numbers are the ordinals of the enums in metadata.capnp; meanings in REGISTRY.md. */
enum evt_role {
  EVT_ROLE_NONE = 0,
  EVT_ROLE_SPAN_BEGIN = 1,
  EVT_ROLE_SPAN_END = 2,
  EVT_ROLE_SPAN = 3,
  EVT_ROLE_COUNTER = 4,
  EVT_ROLE_MARK = 5,
  EVT_ROLE_THREAD_CREATE = 6,
  EVT_ROLE_THREAD_RUNNABLE = 7,
  EVT_ROLE_THREAD_RUN = 8,
  EVT_ROLE_THREAD_STOP = 9,
  EVT_ROLE_THREAD_WAKE = 10,
  EVT_ROLE_THREAD_MIGRATE = 11,
  EVT_ROLE_THREAD_EXIT = 12,
  EVT_ROLE_CALL_BEGIN = 13,
  EVT_ROLE_CALL_END = 14,
  EVT_ROLE_CALL = 15,
  EVT_ROLE_STOPPED = 16,
  EVT_ROLE_THREAD = 17,
  EVT_ROLE_CPU = 18,
  EVT_ROLE_OBJECT = 19,
  EVT_ROLE_RESOURCE = 20,
  EVT_ROLE_AMOUNT = 21,
  EVT_ROLE_LIMIT = 22,
  EVT_ROLE_DURATION = 23,
  EVT_ROLE_VALUE = 24,
  EVT_ROLE_MESSAGE = 25,
  EVT_ROLE_NAME = 26,
  EVT_ROLE_REASON = 27,
  EVT_ROLE_FUNCTION = 28,
  EVT_ROLE_THREAD_NAME = 29,
  EVT_ROLE_OBJECT_OPEN = 30,
  EVT_ROLE_OBJECT_NAME = 31,
  EVT_ROLE_OBJECT_CLOSE = 32,
  EVT_ROLE_GC_START = 33,
  EVT_ROLE_GC_END = 34,
  EVT_ROLE_GC_IDLE = 35,
  EVT_ROLE_GC_WORK = 36,
  EVT_ROLE_GC_DONE = 37,
  EVT_ROLE_PROCESS_START = 38,
  EVT_ROLE_PROGRAM = 39,
  EVT_ROLE_ARGUMENTS = 40,
  EVT_ROLE_WALL_CLOCK = 41,
  EVT_ROLE_OVERHEAD = 42,
  EVT_ROLE_SPARK_CREATE = 43,
  EVT_ROLE_SPARK_DUD = 44,
  EVT_ROLE_SPARK_OVERFLOW = 45,
  EVT_ROLE_SPARK_RUN = 46,
  EVT_ROLE_SPARK_STEAL = 47,
  EVT_ROLE_SPARK_FIZZLE = 48,
  EVT_ROLE_SPARK_COLLECT = 49,
  EVT_ROLE_SPARK_COUNTERS = 50,
  EVT_ROLE_PROCESS = 51,
  EVT_ROLE_PARENT = 52,
  EVT_ROLE_WAKER = 53,
  EVT_ROLE_TO_CPU = 54,
  EVT_ROLE_GENERATION = 55,
  EVT_ROLE_GC_SYNC = 56,
  EVT_ROLE_GC_STATISTICS = 57,
  EVT_ROLE_FLOW_OUT = 58,
  EVT_ROLE_FLOW_IN = 59,
  EVT_ROLE_MESSAGE_SEND = 60,
  EVT_ROLE_MESSAGE_RECEIVE = 61,
  EVT_ROLE_ASYNC_BEGIN = 62,
  EVT_ROLE_ASYNC_END = 63,
  EVT_ROLE_SAMPLE = 64,
  EVT_ROLE_COUNTER_TOTAL = 65,
  EVT_ROLE_COUNTER_DELTA = 66,
  EVT_ROLE_IDLE_THREAD = 67,
  EVT_ROLE_FLOW = 68,
  EVT_ROLE_SPAN_ID = 69,
  EVT_ROLE_WEIGHT = 70,
  EVT_ROLE_STACK = 71,
  EVT_ROLE_ADDRESS = 72,
  EVT_ROLE_CATEGORY = 73,
  EVT_ROLE_PRIORITY = 74,
  EVT_ROLE_HOST_CPU = 75,
  EVT_ROLE_BEGAN = 76,
  EVT_ROLE_ENDED = 77,
  EVT_ROLE_CALL_COUNTS = 78,
  EVT_ROLE_CALLER = 79,
  EVT_ROLE_GC_REQUEST = 80,
  EVT_ROLE_GC_PAUSE_BEGIN = 81,
  EVT_ROLE_GC_PAUSE_END = 82,
  EVT_ROLE_GC_CONCURRENT_BEGIN = 83,
  EVT_ROLE_GC_CONCURRENT_END = 84,
  EVT_ROLE_FRAME = 85,
  EVT_ROLE_FRAMES = 86,
  EVT_ROLE_MODULE = 87,
  EVT_ROLE_BUILD_ID = 88,
  EVT_ROLE_LINE = 89,
  EVT_ROLE_LOCK_RELEASE = 90,
  EVT_ROLE_HOLDER = 91,
  EVT_ROLE_TRACE_ID = 92,
  EVT_ROLE_PARENT_SPAN = 93,
  EVT_ROLE_HISTOGRAM = 94,
  EVT_ROLE_BOUNDS = 95,
  EVT_ROLE_COUNTS = 96,
  EVT_ROLE_INLINED = 97,
  EVT_ROLE_COUNT, /* how many there are */
};

enum evt_unit {
  EVT_UNIT_NONE = 0,
  EVT_UNIT_NANOSECONDS = 1,
  EVT_UNIT_MICROSECONDS = 2,
  EVT_UNIT_MILLISECONDS = 3,
  EVT_UNIT_SECONDS = 4,
  EVT_UNIT_BYTES = 5,
  EVT_UNIT_COUNT_OF_THINGS = 6,
  EVT_UNIT_PERCENT = 7,
  EVT_UNIT_HERTZ = 8,
  EVT_UNIT_BYTES_PER_SECOND = 9,
  EVT_UNIT_COUNT, /* how many there are */
};

/* Where equal ids mean the same thing. */
enum evt_scope {
  EVT_SCOPE_NOT_STATED = 0,
  EVT_SCOPE_SESSION = 1,
  EVT_SCOPE_PROCESS = 2,
  EVT_SCOPE_BOOT = 3,
  EVT_SCOPE_NETWORK = 4,
};

/* How a cut samples the events that it did not leave out otherwise. */
enum evt_sampling {
  EVT_SAMPLED_NONE = 0,
  EVT_SAMPLED_ROW = 1,
  EVT_SAMPLED_KEY = 2,
};

/* The standard events, pinned by REGISTRY.md, which lists their fields; for C++ also in <evt/events.h>. */
enum evt_standard_event {
  EVT_EVENT_THREAD_CREATE = 1,
  EVT_EVENT_THREAD_NAME = 2,
  EVT_EVENT_THREAD_RUNNABLE = 3,
  EVT_EVENT_THREAD_RUN = 4,
  EVT_EVENT_THREAD_STOP = 5,
  EVT_EVENT_THREAD_WAKE = 6,
  EVT_EVENT_THREAD_MIGRATE = 7,
  EVT_EVENT_THREAD_EXIT = 8,
  EVT_EVENT_SPAN_BEGIN = 9,
  EVT_EVENT_SPAN_END = 10,
  EVT_EVENT_SPAN_COMPLETE = 11,
  EVT_EVENT_COUNTER = 12,
  EVT_EVENT_MARK = 13,
  EVT_EVENT_CALL_BEGIN = 14,
  EVT_EVENT_CALL_END = 15,
  EVT_EVENT_CALL_COMPLETE = 16,
  EVT_EVENT_OBJECT_OPEN = 17,
  EVT_EVENT_OBJECT_NAME = 18,
  EVT_EVENT_OBJECT_CLOSE = 19,
  EVT_EVENT_PROCESS_STOPPED = 20,
  EVT_EVENT_GC_START = 21,
  EVT_EVENT_GC_END = 22,
  EVT_EVENT_GC_IDLE = 23,
  EVT_EVENT_GC_WORK = 24,
  EVT_EVENT_GC_DONE = 25,
  EVT_EVENT_PROCESS_START = 26,
  EVT_EVENT_PROCESS_PROGRAM = 27,
  EVT_EVENT_PROCESS_ARGUMENTS = 28,
  EVT_EVENT_WALL_CLOCK = 29,
  EVT_EVENT_OVERHEAD = 30,
  EVT_EVENT_STACK_FRAME = 31,
  EVT_EVENT_STACK_FRAMES = 32,
  EVT_EVENT_STACK_SAMPLE = 33,
};

/* Why a thread stopped running: the reason in EVT_EVENT_THREAD_STOP. */
enum evt_stop_reason {
  EVT_STOP_UNKNOWN = 0,
  EVT_STOP_PREEMPTED = 1,
  EVT_STOP_YIELDED = 2,
  EVT_STOP_BLOCKED = 3,
  EVT_STOP_SLEEPING = 4,
  EVT_STOP_FINISHED = 5,
  EVT_STOP_CALLED_OUT = 6,
};

/* Section 11: limits. */
enum {
  EVT_MAX_EVENT_ROW = 16 << 20,                    /* bytes of one row, its header included */
  EVT_MAX_EVENTS_PAYLOAD = EVT_MAX_EVENT_ROW + 64, /* as stored, and as rows: the largest, after a time base */
  EVT_MAX_METADATA_PAYLOAD = 16 << 20,
  EVT_MAX_METADATA_RATIO = 256, /* bytes of a packed one, unpacked, for each as stored */
  EVT_MAX_PRIVATE_PAYLOAD = 1 << 30,
  EVT_FIRST_BLOCK_WITHIN = 1 << 20, /* no earlier block: not a trace */
  EVT_MAX_STRING = 1 << 20,         /* one interned text */
  EVT_MAX_REFERENCES = 3,           /* one behind the other */
  EVT_MAX_TYPE_NAME = 1024,
  EVT_MAX_FIELDS = 1024,
  EVT_MAX_FACT_KEY = 1024,
  EVT_MAX_FACT_VALUE = 0xFFFF,
  EVT_MAX_FACETS = 16,    /* per type, without the first */
  EVT_MAX_TAGS = 64,      /* per type, and per field */
  EVT_MAX_ORIGINS = 1024, /* sessions that one names as its sources */
  EVT_REPEAT_METADATA_EVERY = 64 << 20,
  EVT_REPEAT_METADATA_AT_END = 512 << 10, /* in a session that is at least so long */
  EVT_REPEAT_METADATA_RATIO = 8,          /* bytes of the session for each of a repeat of more than 8 MiB */
  EVT_INDEX_EVERY_BLOCKS = 512,           /* blocks of events; sooner where many others stand between them */
  EVT_INDEX_AT_END = 64 << 10,            /* in a session that is at least so long */
  EVT_MAX_MESSAGE_TEXT = 0xFFFF,          /* one text in a message */
  EVT_SYNC_EVERY_BYTES = 16 << 20,
};

#endif /* EVT_FORMAT_H_ */
