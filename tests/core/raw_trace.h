// Traces block by block, with what the writer never writes: right and wrong headers, checksums, rows and records. What
// the reader makes of them, as text: read/reading.h.
//
//   RawTrace trace = ordinary_trace();       // blocks 0 to 3: SESSION, CLOCK, TYPES, STREAMS
//   trace.events(1, Rows().tick(5, 1));      // block 4
//   trace.trailer().spoil_payload(4);
//   EXPECT_EQ(reading_of(trace), "damage 4..5: ...\n");
#pragma once

#include <evt/trace.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "format-spec/src/block/block_header.h"
#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/block/index_entries.h"
#include "format-spec/src/block/piece_table.h"
#include "format-spec/src/session/metadata_records.h"
#include "support/rows.h"
#include "support/text_trace.h"

namespace evt::testing {

// The content of an INDEX block; a test may make it lie.
struct IndexClaims {
  struct Entry {
    std::uint16_t type = 0;
    std::uint64_t size = 0;
    std::uint8_t codec = EVT_CODEC_NONE;
    EventsHeader events;
    std::vector<Piece> pieces;             // of multiplexed rows
    std::vector<std::uint16_t> row_types;  // of each row; empty: not known
  };
  std::vector<Entry> entries;
  std::vector<IndexedStream> streams;
  std::uint64_t previous_distance = 0;
  std::int64_t more_covered = 0;  // than the entries amount to
};

// A file as its parts: blocks with their padding, and whatever else is between them.
class RawTrace {
 public:
  using ChangeHeader = std::function<void(BlockHeader&)>;
  using ChangeEvents = std::function<void(EventsHeader&)>;
  using ChangeIndex = std::function<void(IndexClaims&)>;
  using ChangeTrailer = std::function<void(TrailerRecord&)>;

  RawTrace() = default;
  explicit RawTrace(std::vector<std::string> parts) : parts_(std::move(parts)) {}
  // The blocks of a trace that is whole.
  static RawTrace of(std::string_view bytes);

  // Begins a session, whose uuid has `who` in front. The text form's front lines are those of who = 0.
  RawTrace& session(std::uint8_t who = 0, std::int64_t start_ns = 0, const char* boot_id = nullptr);
  RawTrace& clock(const ClockRecord& facts);
  // Counts the rows and losses before it, unless rows_before is given.
  RawTrace& sync(const SyncRecord& facts);
  // The TYPES, STREAMS and STRINGS blocks that these lines of the text form amount to.
  RawTrace& declare(std::string_view text);
  // A TYPES block with one type, which no writer need accept.
  RawTrace& type(std::uint32_t number, const char* name, const std::vector<evt_field>& fields);
  // An EVENTS block that is right: the next one of its stream, on clock 1, rows from base on.
  RawTrace& events(std::uint32_t stream, const Rows& rows, std::uint64_t base = 0, std::uint16_t clock = 1);
  // The last `blocks` parts, EVENTS blocks that are right, as one of multiplexed rows.
  RawTrace& gather(std::size_t blocks);
  // An INDEX block of all that follows the one before it, right but for the change.
  RawTrace& index(const ChangeIndex& change = {});
  RawTrace& trailer(const ChangeTrailer& change = {});
  RawTrace& block(std::uint16_t type, std::string_view payload);
  // The session's next block numbers and ordinals leave some out.
  RawTrace& leave_out_blocks(std::uint64_t count);
  RawTrace& leave_out_rows(std::uint32_t stream, std::uint64_t count);

  // Changes of a part, by its number; by default the last one. What is changed in a header gets a right checksum.
  RawTrace& header(const ChangeHeader& change, std::size_t part = kLast);
  RawTrace& events_header(const ChangeEvents& change, std::size_t part = kLast);
  // The payload of an EVENTS block in another form, with these values in its header.
  RawTrace& store_as(std::string_view payload, std::uint8_t layout, std::uint8_t codec, std::size_t raw_size);
  RawTrace& spoil_header(std::size_t part = kLast);   // its checksum is wrong then
  RawTrace& spoil_payload(std::size_t part = kLast);  // the same
  RawTrace& cut(std::size_t size, std::size_t part = kLast);
  RawTrace& insert(std::string bytes, std::size_t before = kLast + 1);  // at the end by default
  RawTrace& remove(std::size_t part);
  RawTrace& repeat(std::size_t part) { return insert(parts_.at(part), part + 1); }
  RawTrace& swap(std::size_t a, std::size_t b);
  RawTrace& append(const RawTrace& other);

  std::size_t size() const { return parts_.size(); }
  const std::string& part(std::size_t i) const { return parts_.at(i); }
  std::string& part(std::size_t i) { return parts_.at(i); }
  std::string bytes() const;
  std::uint64_t offset_of(std::size_t part) const;
  // An offset by the parts: 3 is where part 3 begins, 3+48 is 48 bytes behind that.
  std::string place(std::uint64_t offset) const;

 private:
  static constexpr std::size_t kLast = SIZE_MAX - 1;
  struct StreamFacts {
    std::uint64_t ordinal = 0;
    std::uint64_t lost = 0;
    std::uint32_t seq = 0;
  };

  std::size_t index(std::size_t part) const { return part == kLast ? parts_.size() - 1 : part; }
  void add(BlockHeader header, const EventsHeader* events, std::string_view payload);

  std::vector<std::string> parts_;
  std::uint64_t id_ = 0;
  std::uint64_t next_no_ = 0;
  std::size_t begin_ = 0;  // of the session, as a part
  std::size_t index_ = 0;  // the latest INDEX block, as a part; 0: none
  std::uint64_t rows_ = 0;
  std::vector<StreamFacts> streams_ = std::vector<StreamFacts>(1000);
};

// Where the fixed part is in the payload of a SESSION block.
inline std::size_t session_fixed_at(const std::string& payload) {
  return (payload.find('\n') + EVT_ALIGNMENT) / EVT_ALIGNMENT * EVT_ALIGNMENT;
}

// SESSION, CLOCK (ticks are nanoseconds from the start), TYPES and STREAMS: `tick` with a u64 `n`, streams 1 and 2.
RawTrace ordinary_trace(std::uint8_t who = 0);

}  // namespace evt::testing

#include "raw_index_inl.h"
#include "raw_trace_inl.h"
#include "reading.h"
