// What a trace records of itself: sessions, their clocks, streams, types and strings, and what is missing.
#pragma once

#include <evt/event_type.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Bytes of the file that had to be skipped. Length 0: nothing was skipped, but something is missing here, or is not
// where it belongs.
struct Damage {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string reason;
};

// Rows of one stream that were recorded and cannot be had.
struct MissingRows {
  std::uint32_t session = 0;  // which of the trace's
  std::uint32_t stream = 0;   // 0: of which streams they were is not known
  std::uint64_t rows = 0;
  // When: between the rows that are there, or by the header of their block or the index; since the session's
  // start.
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::uint64_t offset = 0;  // of their block, or of the first one behind them, or of the one that counts them
  bool or_later = false;     // nothing is known of when they ended
  // Events that the writer counted as lost among these rows: by the headers around them, as the rows that record it are
  // missing too. `StreamInfo::lost` has them.
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
  std::string name;            // by the fact that renamed it last (EVT_FACT_STREAM_NAME), else by its description
  std::string declared_name;   // by its description
  std::uint64_t thread = 0;    // the operating system's; 0: none
  std::uint64_t process = 0;   // 0: the session's
  bool declared = false;       // false: rows are there, the stream's description is not
  std::uint64_t rows = 0;      // by the blocks' headers; reserved rows included
  std::uint64_t lost = 0;      // counted by the writer
  std::uint64_t missing = 0;   // rows that were written and are not in the file
  std::uint64_t not_kept = 0;  // rows of segments that are not there, where that is no damage; as far as it is known
  std::int64_t first_ns = 0;   // of its rows, since the session's start; by the blocks' headers, 0 without rows
  std::int64_t last_ns = 0;
  std::array<std::uint64_t, EVT_LOST_CAUSES> lost_by_cause{};  // from the session's index alone
  // Events with a stamp that is impossible, among those that have been read so far, each counted once; and the ordinal
  // behind the latest of them.
  std::uint64_t impossible_stamps = 0;
  std::uint64_t impossible_before = 0;
};

// Events that a writer had no room for, of one stream and for one cause.
struct Loss {
  const StreamInfo* stream = nullptr;
  std::string cause;  // as ring_full; empty: the rows that tell it are missing or damaged, or there are too many causes
  std::uint64_t events = 0;
  bool is_rest = false;  // of a stream that has others, whose cause is known
};

// What a session states of itself, or of a thing in it, beyond the description of that.
struct Fact {
  std::uint16_t scope = EVT_FACT_SCOPE_SESSION;  // enum evt_fact_scope
  std::uint64_t id = 0;                          // of the thing, which the session need not have; of the session 0
  std::string key;
  std::string value;
  std::int64_t ns = 0;  // since when; since the session's start
};

// How many rows of a type there are, without reading them.
struct TypeCount {
  std::uint32_t number = 0;  // of the type; EVT_ROW_WIDE: all whose numbers do not fit 16 bits
  std::uint64_t rows = 0;
};

// Where rows are that the file does not have (yet).
enum class RingState : std::uint8_t {
  kNone,       // the session was closed, or wrote without a ring
  kPrivate,    // its ring was memory of its own: what the file lacks is lost
  kAway,       // its ring is not on this machine, removed, or was not looked for
  kOther,      // its ring belongs to another file, of which this one is a copy, and was not read
  kRecovered,  // the writer is dead; its ring was read too
  kLive,       // the writer goes on; its ring was read too
};

// How a session ended, as far as its trace tells.
enum class SessionEnd : std::uint8_t {
  kClosed,     // with a TRAILER
  kContinued,  // its last segment states that another one follows
  kUnknown,    // a block of a later format ends it
  kLiving,     // the writer goes on; its ring was read
  kKilled,     // the writer is dead; its ring was read, so nothing that it had is missing
  kTruncated,  // its end is missing
};
// The word that every command has for it: closed, continued, unknown, living, killed or truncated.
const char* word_of(SessionEnd end);

// What became of one session in the one that it was merged into.
struct MergedPart {
  std::array<std::uint8_t, 16> origin{};  // its uuid
  std::string name;                       // what the user called it
  std::uint32_t first_stream = 0;         // its streams have ids from here on
  std::uint32_t stream_count = 0;
  std::uint16_t alignment = EVT_ALIGNED_NONE;  // enum evt_alignment: how its time came onto the merged scale
  bool ended = false;                          // its end is here: it was closed, or nothing of it is missing
  std::int64_t offset_ns = 0;                  // that was added to its times, and
  std::int64_t drift_ps = 0;                   // so much more for each second since
  std::int64_t pivot_ns = 0;                   // this, on its own time scale
  std::uint64_t bound_ns = 0;                  // its times are right to so much, against those of the first part

  bool has_stream(std::uint32_t id) const { return id >= first_stream && id - first_stream < stream_count; }
};

// What a session that was cut out of another leaves out of it.
struct LeftOut {
  bool has_range = false;
  std::int64_t from_ns = 0;  // since the session's start: events before and behind are left out, if has_range
  std::int64_t to_ns = 0;
  std::vector<std::string> streams;  // names of some of them
  std::uint32_t stream_count = 0;
  std::vector<std::string> types;  // the same
  std::uint32_t type_count = 0;
  std::uint16_t sampled_by = EVT_SAMPLED_NONE;  // enum evt_sampling; what is not known counts as by row
  std::uint64_t one_in = 0;                     // of how many events one was kept; 0: not known
  bool others = false;                          // events by what is in them

  // Events that belong together, as a begin and its end, may have lost one another.
  bool separates_events() const { return sampled_by != EVT_SAMPLED_NONE && sampled_by != EVT_SAMPLED_KEY; }
};

// One run of one program. Everything here is read when the trace is opened and lives as long as it.
struct Session {
  using Uuid = std::array<std::uint8_t, 16>;

  Uuid uuid{};
  std::vector<Uuid> origins;        // the sessions that a tool made this one from
  std::vector<MergedPart> parts;    // of a session made of several
  std::string cut;                  // of a session that is part of another: which part
  std::optional<LeftOut> left_out;  // the same for programs, where it is stated
  std::uint16_t major = 0;
  std::uint16_t minor = 0;
  std::int64_t start_utc_ns = 0;                         // since 1970
  std::int64_t start_ns = 0;                             // on the session's own time scale
  std::uint16_t time_scale = EVT_TIME_SCALE_NOT_STATED;  // enum evt_time_scale: what its ns count
  bool draft = false;                                    // of a draft of its format
  std::string program;
  std::vector<std::string> command_line;
  std::uint64_t pid = 0;
  std::string host;
  std::string boot_id;
  std::string writer;
  bool declared = false;  // false: no SESSION block was found
  bool closed = false;    // ended with a TRAILER; if not, and it does not go on elsewhere, it is truncated
  // A session may be in several files, its segments: which numbers the first and the last that were read have, as far
  // as their SEGMENT blocks can be read. It goes on elsewhere: the last of these states that another one follows.
  std::uint64_t first_segment = 0;
  std::uint64_t last_segment = 0;
  bool last_segment_is_known = true;
  bool goes_on = false;
  RingState ring = RingState::kNone;
  std::uint16_t ring_kind = EVT_RING_NONE;  // enum evt_ring_kind: where the writer had it
  std::string ring_name;                    // of the shared memory
  std::string ring_file;        // kOther: the file that it belongs to; empty if that does not exist or is not known
  std::uint64_t ring_rows = 0;  // that were read from the ring
  bool abandoned = false;    // not read to its end: a block of a later format states that nothing behind it can be read
  std::int64_t last_ns = 0;  // of the latest row, since the session's start; by the blocks' headers
  std::uint64_t rows = 0;
  std::uint64_t lost = 0;
  std::uint64_t missing = 0;  // rows that are missing; of a session that was not closed there may be more
  // Rows of segments that are not there: those before the first, and between one that states that another one follows
  // and the next that is there. That is no damage, and they are not missing; of a session that goes on there may be
  // more. `not_kept_is_known`: it is the number, else the least that there were.
  std::uint64_t not_kept = 0;
  bool not_kept_is_known = true;
  // The same of its parts, where it was merged, as they were then.
  std::uint64_t not_kept_of_parts = 0;
  bool not_kept_of_parts_is_known = true;
  std::uint64_t duplicate_rows = 0;  // that the file has twice: each is read once
  std::uint64_t not_decodable = 0;   // rows in a layout or codec that this version does not know, or without a clock
  std::uint64_t without_clock = 0;   // of these: rows of a clock whose CLOCK block is missing
  std::uint64_t not_understood = 0;  // blocks that must be understood and are not
  // Blocks that this version skips: private to a producer, or of a type of a later version. The copyable ones have
  // nothing that depends on the session: cut() and merge() keep them.
  std::uint64_t other_blocks = 0;
  std::uint64_t copyable_blocks = 0;  // of these
  bool indexed = false;               // what is here is what the index has: headers of events were not looked at
  std::vector<TypeCount> counts;      // of events, by number; from the index alone, empty without one that has them

  std::vector<ClockInfo> clocks;
  std::vector<StreamInfo> streams;  // in order of their ids
  std::vector<EventType> types;     // in the order of their declaration
  std::unordered_map<std::uint32_t, std::string> strings;
  // Of these, the ones that hold rows instead of texts (FORMAT.md, section 8.5): each behind those that it leads to.
  std::vector<std::uint32_t> row_strings;
  std::vector<Fact> facts;  // the last of each key of each thing; in order of scope, id and key

  SessionEnd end() const;
  // Rows may be missing behind the last one.
  bool is_truncated() const { return end() == SessionEnd::kTruncated || end() == SessionEnd::kUnknown; }
  // What even a full copy lacks of the session: what this trace left out already, the time after its last event if
  // the end is missing, and rows of absent segments. cut_of_copies() says the same in words, after `what`.
  std::optional<LeftOut> left_out_of_copies() const;
  std::string cut_of_copies(const std::string& what) const;

  // The text of an interned id; null when the trace does not have it. 0 is the empty text.
  const std::string* text(Interned id) const;
  const StreamInfo* stream(std::uint32_t id) const;
  // The first type of this name: a session may have several.
  const EventType* type(std::string_view name) const;
  // What a part is called: its name or, where it has none as in an anonymous session, `process 1`.
  // REQUIRES: part < parts.size().
  std::string part_name(std::uint32_t part) const;
  // The value of a fact; null where the session does not state it.
  const std::string* fact(std::uint16_t scope, std::uint64_t id, std::string_view key) const;
};

}  // namespace evt
#pragma GCC visibility pop
