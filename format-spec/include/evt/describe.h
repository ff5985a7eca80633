/* How a program describes what it will record: event types with their fields, and who it is. Plain C structs; all text
 * is UTF-8, NUL-terminated, owned by the caller and read only during the call that takes it. A null pointer means
 * empty. Fields left zero take the stated default.
 *
 * Later versions add members at the end, and give meaning to reserved ones, which must be 0 (docs/ABI.md).
 */
#ifndef EVT_DESCRIBE_H_
#define EVT_DESCRIBE_H_

#include <evt/format.h>
#include <evt/little_endian.h>
#include <stddef.h>

/* One value of an enumeration and its text. The value is zero-extended from the field's width. */
typedef struct evt_label {
  uint64_t value;
  const char* text;
} evt_label;

/* One field of an event type. Numbers unknown to this version are recorded unchanged. */
typedef struct evt_field {
  const char* name;
  const char* description;
  uint16_t kind;  /* enum evt_kind */
  uint16_t shape; /* enum evt_shape */
  uint32_t width; /* bytes of a fixed value or of an array's element; else 0 */
  uint16_t role;  /* enum evt_role */
  uint16_t unit;  /* enum evt_unit */
  uint32_t label_count;
  const evt_label* labels;
  uint64_t absent;         /* if has_absent: the value for "none", zero-extended from the field's width */
  const char* unit_text;   /* a unit that is not in enum evt_unit, in UCUM; the unit is EVT_UNIT_NONE then */
  const char* const* tags; /* private roles, in reverse DNS: "com.example.frame" */
  uint16_t tag_count;
  uint16_t scope;     /* for ids: enum evt_scope */
  uint8_t is_flags;   /* for an enumeration: its labels are bits */
  uint8_t has_absent; /* for a number */
  int8_t scale;       /* for an integer: times 10 to this power */
  uint8_t reserved;
} evt_field;

/* Initialisers of fields, each with its name and, optionally, a role and a unit:
 *
 *   evt_field fields[] = {EVT_FIELD_U32("thread", EVT_ROLE_THREAD), EVT_FIELD_U64("read", EVT_ROLE_AMOUNT,
 * EVT_UNIT_BYTES)};
 */
#define EVT_FIELD_U8(...) EVT_FIELD_1_(EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 1, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_U16(...) EVT_FIELD_1_(EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 2, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_U32(...) EVT_FIELD_1_(EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 4, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_U64(...) EVT_FIELD_1_(EVT_KIND_UNSIGNED, EVT_SHAPE_FIXED, 8, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_I8(...) EVT_FIELD_1_(EVT_KIND_SIGNED, EVT_SHAPE_FIXED, 1, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_I16(...) EVT_FIELD_1_(EVT_KIND_SIGNED, EVT_SHAPE_FIXED, 2, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_I32(...) EVT_FIELD_1_(EVT_KIND_SIGNED, EVT_SHAPE_FIXED, 4, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_I64(...) EVT_FIELD_1_(EVT_KIND_SIGNED, EVT_SHAPE_FIXED, 8, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_F32(...) EVT_FIELD_1_(EVT_KIND_FLOAT, EVT_SHAPE_FIXED, 4, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_F64(...) EVT_FIELD_1_(EVT_KIND_FLOAT, EVT_SHAPE_FIXED, 8, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_BOOL(...) EVT_FIELD_1_(EVT_KIND_BOOL, EVT_SHAPE_FIXED, 1, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_TEXT(...) EVT_FIELD_1_(EVT_KIND_TEXT, EVT_SHAPE_COUNTED16, 0, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_LONG_TEXT(...) EVT_FIELD_1_(EVT_KIND_TEXT, EVT_SHAPE_COUNTED32, 0, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_TEXTS(...) EVT_FIELD_1_(EVT_KIND_TEXT, EVT_SHAPE_LIST, 0, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_BYTES(...) EVT_FIELD_1_(EVT_KIND_BYTES, EVT_SHAPE_COUNTED16, 0, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_LONG_BYTES(...) EVT_FIELD_1_(EVT_KIND_BYTES, EVT_SHAPE_COUNTED32, 0, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_INTERNED(...) EVT_FIELD_1_(EVT_KIND_INTERNED, EVT_SHAPE_FIXED, 4, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_REFERENCE(...) EVT_FIELD_1_(EVT_KIND_REFERENCE, EVT_SHAPE_FIXED, 4, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_TICKS(...) EVT_FIELD_1_(EVT_KIND_TICKS, EVT_SHAPE_FIXED, 8, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_TICKS32(...) EVT_FIELD_1_(EVT_KIND_TICKS, EVT_SHAPE_FIXED, 4, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_TICK_DELTA(...) EVT_FIELD_1_(EVT_KIND_TICK_DELTA, EVT_SHAPE_FIXED, 8, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_TICK_DELTA32(...) EVT_FIELD_1_(EVT_KIND_TICK_DELTA, EVT_SHAPE_FIXED, 4, __VA_ARGS__, 0, 0, 0)
/* Enumerations and sets of flags: the name, an array of labels, and optionally a role. */
#define EVT_FIELD_ENUM8(...) EVT_FIELD_LABELS_(0, 1, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_ENUM16(...) EVT_FIELD_LABELS_(0, 2, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_ENUM32(...) EVT_FIELD_LABELS_(0, 4, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_ENUM64(...) EVT_FIELD_LABELS_(0, 8, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_FLAGS8(...) EVT_FIELD_LABELS_(1, 1, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_FLAGS16(...) EVT_FIELD_LABELS_(1, 2, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_FLAGS32(...) EVT_FIELD_LABELS_(1, 4, __VA_ARGS__, 0, 0, 0)
#define EVT_FIELD_FLAGS64(...) EVT_FIELD_LABELS_(1, 8, __VA_ARGS__, 0, 0, 0)
/* An array: the kind and the bytes of an element, then as above. evt_array records it. */
#define EVT_FIELD_ARRAY(kind_, width_, ...) EVT_FIELD_1_(kind_, EVT_SHAPE_ARRAY, width_, __VA_ARGS__, 0, 0, 0)
/* Bytes of a fixed number, without a count. evt_raw records them. */
#define EVT_FIELD_BYTES_OF(width_, ...) EVT_FIELD_1_(EVT_KIND_BYTES, EVT_SHAPE_FIXED, width_, __VA_ARGS__, 0, 0, 0)
/* Any kind and shape: name, kind, shape, width, then as above. */
#define EVT_FIELD_OF(...) EVT_FIELD_2_(__VA_ARGS__, 0, 0, 0)

/* A role or a unit that is not given is one of the trailing zeros, which both mean none; at most three of them remain.
 */
#define EVT_FIELD_1_(kind_, shape_, width_, name_, role_, unit_, ...) \
  EVT_FIELD_3_(name_, kind_, shape_, width_, role_, unit_, 0, NULL, 0, EVT_FIELD_END_(__VA_ARGS__))
#define EVT_FIELD_2_(name_, kind_, shape_, width_, role_, unit_, ...) \
  EVT_FIELD_3_(name_, kind_, shape_, width_, role_, unit_, 0, NULL, 0, EVT_FIELD_END_(__VA_ARGS__))
#define EVT_FIELD_LABELS_(is_flags_, width_, name_, labels_, role_, ...)                   \
  EVT_FIELD_3_(name_, EVT_KIND_ENUMERATION, EVT_SHAPE_FIXED, width_, role_, EVT_UNIT_NONE, \
               sizeof(labels_) / sizeof((labels_)[0]), labels_, is_flags_, EVT_FIELD_END_(__VA_ARGS__))
#define EVT_FIELD_3_(name_, kind_, shape_, width_, role_, unit_, count_, labels_, is_flags_, end_)          \
  {                                                                                                         \
    (name_), NULL, (kind_), (shape_), (width_), (role_), (unit_), (count_), (labels_), 0, NULL, NULL, 0, 0, \
        (is_flags_), 0, 0, end_                                                                             \
  }
/* 0; with more arguments than a field takes, a name that nothing has. */
#define EVT_FIELD_END_(...)                                                                                  \
  EVT_FIELD_12TH_(__VA_ARGS__, EVT_FIELD_TAKES_NO_MORE_, EVT_FIELD_TAKES_NO_MORE_, EVT_FIELD_TAKES_NO_MORE_, \
                  EVT_FIELD_TAKES_NO_MORE_, EVT_FIELD_TAKES_NO_MORE_, EVT_FIELD_TAKES_NO_MORE_,              \
                  EVT_FIELD_TAKES_NO_MORE_, EVT_FIELD_TAKES_NO_MORE_, 0, 0, 0, 0)
#define EVT_FIELD_12TH_(a_, b_, c_, d_, e_, f_, g_, h_, i_, j_, k_, l_, ...) l_

/* A field of a facet: its index in the type's fields, and its role there. */
typedef struct evt_facet_field {
  uint16_t field;
  uint16_t role; /* enum evt_role */
} evt_facet_field;

/* An additional meaning of an event: as if an event with this role and only these fields happened at its time. */
typedef struct evt_facet {
  const evt_facet_field* fields;
  uint32_t field_count;
  uint16_t role; /* enum evt_role */
  uint16_t reserved;
} evt_facet;

/* An event type. Its name is its identity, for ever; its number only counts within a session. */
typedef struct evt_event_type {
  const char* name;
  const char* description;
  uint32_t number; /* 0: the writer chooses */
  uint16_t role;   /* enum evt_role */
  uint16_t tag_count;
  uint32_t field_count;
  uint32_t facet_count;
  const evt_field* fields;
  const evt_facet* facets; /* after `role`, in their order */
  const char* twin_of;     /* for a twin that a tool adds: the name of the type */
  const char* source_file; /* where the program records the event */
  const char* source_function;
  const char* const* tags; /* private roles, in reverse DNS */
  uint32_t source_line;    /* 0: not stated */
  uint32_t off_by_default; /* 1: recorded only if requested, by evt_switch_types or EVTRACE's types=+NAME */
} evt_event_type;

/* A session that was merged into this one, and how: metadata.capnp, MergedPart. */
typedef struct evt_merged_part {
  uint8_t origin[16];
  const char* name;
  uint32_t first_stream;
  uint32_t stream_count;
  uint16_t alignment; /* enum evt_alignment */
  uint8_t ended;
  uint8_t reserved[5];
  int64_t offset_ns;
  int64_t drift_ps; /* for each second since the pivot */
  int64_t pivot_ns;
  uint64_t bound_ns;
} evt_merged_part;

/* What a session that a tool cut from another leaves out; at most EVT_MAX_ORIGINS names of each kind are kept.
 */
typedef struct evt_left_out {
  int64_t from_ns; /* since the session's start, if has_range */
  int64_t to_ns;
  const char* const* streams;
  const char* const* types;
  uint64_t one_in; /* 0: not known */
  uint32_t stream_count;
  uint32_t type_count;
  uint16_t sampled_by; /* enum evt_sampling */
  uint8_t has_range;
  uint8_t others;
  uint32_t reserved;
} evt_left_out;

/* Identity of the recorded program. The writer finds out each field that is left zero, unless `exact` states that zero
 * means zero; it makes a uuid in any case. */
typedef struct evt_session_info {
  const char* program;
  const char* host;
  const char* boot_id;
  const char* writer; /* the library and version of the writer */
  uint64_t pid;
  const char* const* command_line;
  uint32_t command_line_count;
  uint32_t origin_count; /* size of `origins`; those beyond EVT_MAX_ORIGINS are left out */
  uint8_t uuid[16];      /* all zero: random */
  int64_t start_utc_ns;  /* UTC at the session's start as POSIX time, ns since 1970 */
  uint16_t time_scale;   /* enum evt_time_scale; the writer sets it for clocks of the system */
  uint8_t exact;         /* find nothing out */
  uint8_t anonymous;     /* leave out what names the program, its user and its machine: FORMAT.md, section 6.1 */
  uint16_t ring_kind;    /* enum evt_ring_kind; only the writer sets this and ring_name */
  uint16_t reserved;
  const char* ring_name;
  const uint8_t* origins; /* uuids of the sessions that a tool made this one from, 16 bytes each, in their order */
  const evt_merged_part* parts;
  uint32_t part_count; /* limited as `origins` */
  uint32_t reserved_too;
  const char* cut;              /* which part of another session this is, as text */
  const evt_left_out* left_out; /* machine-readable `cut`; null: not stated */
} evt_session_info;

/* The part of a session's uuid that each of its blocks has: the last 8 bytes, 62 random bits of versions 4 and 7
 * alike. */
static inline uint64_t evt_session_id(const uint8_t uuid[16]) { return evt_load_u64(uuid + 8); }

/* A stream: one single-producer sequence of events. */
typedef struct evt_stream_info {
  const char* name;
  uint32_t id; /* 0: the writer chooses; never reused within a session */
  uint32_t reserved;
  uint64_t thread;  /* the operating system's id of the thread; 0: none */
  uint64_t process; /* 0: the session's */
} evt_stream_info;

/* A fact about a session or a thing in it, beyond its description. Its texts have sizes, because in a copied trace they
 * may contain a NUL. */
typedef struct evt_fact_info {
  uint64_t id;     /* id of the thing: enum evt_fact_scope; 0 for the session */
  int64_t ns;      /* since when, on the session's time scale */
  const char* key; /* 1 to EVT_MAX_FACT_KEY bytes */
  size_t key_size;
  const char* value; /* at most EVT_MAX_FACT_VALUE bytes; longer ones are shortened at a character */
  size_t value_size;
  uint16_t scope; /* enum evt_fact_scope */
  uint16_t reserved[3];
} evt_fact_info;

#endif /* EVT_DESCRIBE_H_ */
