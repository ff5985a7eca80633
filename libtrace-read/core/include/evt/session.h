// What a trace records about itself: sessions, their clocks, streams, types and strings, and what is missing.
#pragma once

#include <evt/event_type.h>
#include <evt/value.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Bytes of the file that had to be skipped. Length 0: nothing was skipped, but something is missing here, or misplaced.
struct Damage {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string reason;
};

// Rows of one stream that were recorded and cannot be read.
struct MissingRows {
  std::uint32_t session = 0;  // index among the trace's sessions
  std::uint32_t stream = 0;   // 0: their streams are unknown
  std::uint64_t rows = 0;
  // Their time: between the neighbouring rows, or from the header of their block or the index; since the session's
  // start.
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::uint64_t offset = 0;  // their block's, or that of the first one after them, or of the one that counts them
  bool or_later = false;     // their end is unknown
  // Events that the writer counted as lost among these rows. The headers around them tell, because the rows that record
  // it are missing too. Included in `StreamInfo::lost`.
  std::uint64_t lost = 0;
};

struct ClockInfo {
  std::uint16_t id = 0;
  std::uint8_t kind = EVT_CLOCK_OTHER;  // enum evt_clock_kind
  std::uint64_t hz = 0;                 // nominal ticks per second, times hz_denominator
  std::uint32_t hz_denominator = 1;
  std::uint64_t start_ticks = 0;
  std::int64_t start_ns = 0;
  std::uint64_t tolerance_ns = 0;
  std::string name;
  std::string host;
  std::string boot_id;
};

struct StreamInfo {
  std::uint32_t id = 0;
  bool declared = false;       // false: its rows are present, but not its description
  std::string name;            // from the fact that renamed it last (EVT_FACT_STREAM_NAME), else from its description
  std::string declared_name;   // by its description
  std::uint64_t thread = 0;    // the operating system's id; 0: none
  std::uint64_t process = 0;   // 0: the session's
  std::uint64_t rows = 0;      // from the blocks' headers; including reserved rows
  std::uint64_t lost = 0;      // counted by the writer
  std::uint64_t missing = 0;   // rows that were written and are not in the file
  std::uint64_t not_kept = 0;  // rows of segments that are absent without damage; as far as known
  std::int64_t first_ns = 0;   // its first row's, since the session's start; from the blocks' headers, 0 without rows
  std::int64_t last_ns = 0;
  // Only from the session's index: by EVT_LOST_*, or empty if that has no losses of the stream.
  std::vector<std::uint64_t> lost_by_cause;
  // Events with an impossible stamp, among those read so far, each counted once; and the ordinal after the latest of
  // them.
  std::uint64_t impossible_stamps = 0;
  std::uint64_t impossible_before = 0;
};

// Events that a writer had no room for, in one stream and for one cause.
struct Loss {
  const StreamInfo* stream = nullptr;
  std::string cause;  // for example ring_full; empty: the rows that tell it are missing or damaged, or there are too
                      // many causes
  std::uint64_t events = 0;
  bool is_rest = false;  // rest of a stream that has others, whose cause is known
};

// A statement about a session, or about a thing in it, beyond its description.
struct Fact {
  std::uint16_t scope = EVT_FACT_SCOPE_SESSION;  // enum evt_fact_scope
  std::uint64_t id = 0;                          // the thing, which the session need not have; 0 for the session
  std::string key;
  std::string value;
  std::int64_t ns = 0;  // since when; since the session's start
};

// The number of rows of a type, without reading them.
struct TypeCount {
  std::uint32_t number = 0;  // the type's; EVT_ROW_WIDE: all whose numbers do not fit 16 bits
  std::uint64_t rows = 0;
};

// Where the rows are that the file does not have (yet).
enum class RingState : std::uint8_t {
  kNone,       // the session was closed, or wrote without a ring
  kPrivate,    // its ring was private memory: what the file lacks is lost
  kAway,       // its ring is not on this machine, removed, or was not looked for
  kOther,      // its ring belongs to another file, of which this one is a copy, and was not read
  kRecovered,  // the writer is dead; its ring was read too
  kLive,       // the writer is running; its ring was read too
};

// How a session ended, as far as its trace tells.
enum class SessionEnd : std::uint8_t {
  kClosed,     // with a TRAILER
  kContinued,  // its last segment states that another one follows
  kUnknown,    // a block of a later format ends it
  kLiving,     // the writer is running; its ring was read
  kKilled,     // the writer is dead; its ring was read, so nothing that it had is missing
  kTruncated,  // its end is missing
};
// The word that every command uses for it: closed, continued, unknown, living, killed or truncated.
const char* word_of(SessionEnd end);

// A session that was merged into this one.
struct MergedPart {
  std::array<std::uint8_t, 16> origin{};  // its uuid
  std::string name;                       // given by the user
  std::uint32_t first_stream = 0;         // its streams have ids from here on
  std::uint32_t stream_count = 0;
  std::uint16_t alignment = EVT_ALIGNED_NONE;  // enum evt_alignment: how its times were mapped to the merged scale
  bool ended = false;                          // its end is here: it was closed, or nothing of it is missing
  std::int64_t offset_ns = 0;                  // added to its times, and
  std::int64_t drift_ps = 0;                   // additionally so much for each second since
  std::int64_t pivot_ns = 0;                   // this moment, on its own time scale
  std::uint64_t bound_ns = 0;                  // accuracy of its times, against those of the first part

  bool has_stream(std::uint32_t id) const { return id >= first_stream && id - first_stream < stream_count; }
};

// What a session that was cut from another leaves out.
struct LeftOut {
  bool has_range = false;
  std::int64_t from_ns = 0;  // since the session's start: events before and after the range are left out, if has_range
  std::int64_t to_ns = 0;
  std::vector<std::string> streams;  // names of some of them
  std::uint32_t stream_count = 0;
  std::vector<std::string> types;  // names of some of them
  std::uint32_t type_count = 0;
  std::uint16_t sampled_by = EVT_SAMPLED_NONE;  // enum evt_sampling; unknown values count as by row
  std::uint64_t one_in = 0;                     // one of so many events was kept; 0: unknown
  bool others = false;                          // events selected by their contents

  // Events that belong together, such as a begin and its end, may have lost each other.
  bool separates_events() const { return sampled_by != EVT_SAMPLED_NONE && sampled_by != EVT_SAMPLED_KEY; }
};

// A row that a string holds, which many events refer to: a stack, a frame of it (FORMAT.md, section 8.5).
struct SharedRow {
  const EventType* type = nullptr;
  Bytes fields;  // the session's

  // Returns the first field that has this role, if any has.
  std::optional<Value> value(Role role) const;
};

// One run of one program. Everything here is read when the trace is opened and lives as long as the trace.
struct Session {
  using Uuid = std::array<std::uint8_t, 16>;

  Uuid uuid{};
  std::vector<Uuid> origins;        // the sessions that a tool made this one from
  std::vector<MergedPart> parts;    // for a session made from several
  std::string cut;                  // for a part of another session: which part
  std::optional<LeftOut> left_out;  // machine-readable `cut`, if stated
  std::uint16_t major = 0;
  std::uint16_t minor = 0;
  std::int64_t start_utc_ns = 0;                         // since 1970
  std::int64_t start_ns = 0;                             // on the session's own time scale
  std::uint16_t time_scale = EVT_TIME_SCALE_NOT_STATED;  // enum evt_time_scale: the scale of its ns
  bool draft = false;                                    // written in a draft of its format
  std::string program;
  std::vector<std::string> command_line;
  std::uint64_t pid = 0;
  std::string host;
  std::string boot_id;
  std::string writer;
  bool declared = false;  // false: no SESSION block was found
  bool closed = false;    // ended with a TRAILER; if not, and it does not continue elsewhere, it is truncated
  // A session may be in several files, its segments: the numbers of the first and the last that were read, as far as
  // their SEGMENT blocks can be read. `goes_on`: the last of these states that another one follows.
  std::uint64_t first_segment = 0;
  std::uint64_t last_segment = 0;
  bool last_segment_is_known = true;
  bool goes_on = false;
  RingState ring = RingState::kNone;
  std::uint16_t ring_kind = EVT_RING_NONE;  // enum evt_ring_kind: where the writer had it
  std::string ring_name;                    // name of the shared memory
  std::string ring_file;        // kOther: the file that it belongs to; empty if that does not exist or is unknown
  std::uint64_t ring_rows = 0;  // read from the ring
  bool abandoned = false;    // not read to its end: a block of a later format states that nothing after it can be read
  std::int64_t last_ns = 0;  // the latest row's, since the session's start; from the blocks' headers
  std::uint64_t rows = 0;
  std::uint64_t lost = 0;
  std::uint64_t missing = 0;  // rows that are missing; a session that was not closed may lack more
  // Rows of absent segments: those before the first, and between a segment that states that another one follows and the
  // next that is present. That is not damage, and they are not missing; a session that continues may have more.
  // `not_kept_is_known`: it is the exact number, else the least.
  std::uint64_t not_kept = 0;
  bool not_kept_is_known = true;
  // The same of its parts, where it was merged, as they were then.
  std::uint64_t not_kept_of_parts = 0;
  bool not_kept_of_parts_is_known = true;
  std::uint64_t duplicate_rows = 0;  // rows that the file has twice: each is read once
  std::uint64_t not_decodable = 0;   // rows in a layout or codec that this version does not know, or without a clock
  std::uint64_t without_clock = 0;   // part of these: rows of a clock whose CLOCK block is missing
  std::uint64_t not_understood = 0;  // blocks that must be understood but are not
  // Blocks that this version skips: private to a producer, or of a type of a later version. Copyable ones contain
  // nothing that depends on the session: cut() and merge() keep them.
  std::uint64_t other_blocks = 0;
  std::uint64_t copyable_blocks = 0;  // subset of other_blocks
  bool indexed = false;               // from the index: headers of events were not looked at
  std::vector<TypeCount>
      counts;  // number of events, by type number; only from the index, empty without one that has them

  std::vector<ClockInfo> clocks;
  std::vector<StreamInfo> streams;  // in order of their ids
  std::vector<EventType> types;     // in the order of their declaration
  std::unordered_map<std::uint32_t, std::string> strings;
  // The strings that hold rows instead of texts (FORMAT.md, section 8.5), each after those that it leads to.
  std::vector<std::uint32_t> row_strings;
  std::vector<Fact> facts;  // the last one for each key of each thing; in order of scope, id and key

  SessionEnd end() const;
  // Rows may be missing after the last one.
  bool is_truncated() const { return end() == SessionEnd::kTruncated || end() == SessionEnd::kUnknown; }
  // What even a full copy lacks of the session: what this trace left out already, the time after its last event if
  // the end is missing, and rows of absent segments. cut_of_copies() says the same in words, after `what`.
  std::optional<LeftOut> left_out_of_copies() const;
  std::string cut_of_copies(const std::string& what) const;

  // The text of an interned id; null if the trace does not have it. 0 is the empty text.
  const std::string* text(Interned id) const;
  // The row that events share by this id; nothing if the trace does not have it, or the string is a text.
  std::optional<SharedRow> row(Reference id) const;
  const StreamInfo* stream(std::uint32_t id) const;
  // The first type of this name: a session may have several.
  const EventType* type(std::string_view name) const;
  // What a part is called: its name or, where it has none as in an anonymous session, `process 1`.
  // REQUIRES: part < parts.size().
  std::string part_name(std::uint32_t part) const;
  // The value of a fact; null if the session does not state it.
  const std::string* fact(std::uint16_t scope, std::uint64_t id, std::string_view key) const;
};

}  // namespace evt
#pragma GCC visibility pop
