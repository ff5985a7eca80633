// One INDEX block, decoded (FORMAT.md, section 6.6).
#pragma once

#include <algorithm>
#include <vector>

#include "format-spec/src/block/index_entries.h"
#include "format-spec/src/block/piece_table.h"
#include "libtrace-read/core/src/base/cursor.h"
#include "libtrace-read/core/src/block/block_reader.h"

namespace evt {

// Contents of a TRAILER.
struct TrailerClaims {
  std::uint64_t session_size = 0;
  std::uint64_t index_distance = 0;
  std::uint64_t rows = 0;
  std::uint64_t lost = 0;
  // Totals of the session so far; `rows` and `lost` are those of the segment that it ends.
  std::uint64_t rows_so_far = 0;
  std::uint64_t lost_so_far = 0;

  // Returns false if it is too short to state it.
  bool parse(Bytes payload);
};

// The losses of a stream as StreamInfo::lost_by_cause has them.
inline std::vector<std::uint64_t> causes_of(const IndexedStream& stream) {
  const bool has_any = std::ranges::any_of(stream.lost, [](std::uint64_t events) { return events != 0; });
  if (!has_any) return {};
  return {std::begin(stream.lost), std::end(stream.lost)};
}

// Said of a block whose header differs from its entry.
constexpr const char* kOtherRows = "the index and the header of these rows differ";

// An index's entry for one block.
struct IndexEntry {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // with its padding
  std::uint16_t type = 0;
  // For EVENTS:
  std::uint8_t layout = 0;
  std::uint8_t codec = 0;
  std::uint16_t clock_id = 0;
  std::uint64_t first_ticks = 0;
  std::uint64_t last_ticks = 0;
  std::uint64_t rows = 0;
  std::vector<Piece> pieces;      // one for each stream, with a few facts about its rows
  std::vector<TypeCount> counts;  // empty: not known

  // The block as the entry describes it.
  Block block() const;
  // True if the header, and the table of pieces that the block has a mark of, state what the entry does.
  bool has_rows_of(const Block& block) const;
};

// The entries of one INDEX block, from the first. Refers to the bytes while it lives.
class IndexEntryReader {
 public:
  IndexEntryReader() = default;
  // `at`: where the first of the blocks begins.
  IndexEntryReader(Bytes entries, std::uint32_t count, std::uint64_t at) : in_(entries), left_(count), at_(at) {}

  // The next entry; null at the end, and if one is not valid. Valid until the next call.
  const IndexEntry* next();
  bool ok() const { return ok_; }
  std::uint64_t at() const { return at_; }  // after the blocks so far

 private:
  bool read(Cursor& in);
  bool read_events(Cursor& in);
  bool read_pieces(Cursor& in);
  bool read_counts(Cursor& in);

  Cursor in_{Bytes{}};
  std::uint32_t left_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t last_first_ticks_ = 0;
  bool ok_ = true;
  IndexEntry entry_;
};

// Parts refer to its bytes, so it is movable but not copyable.
struct IndexPayload {
  IndexPayload() = default;
  IndexPayload(IndexPayload&&) = default;
  IndexPayload& operator=(IndexPayload&&) = default;

  Block block;  // it is in
  std::vector<std::byte> bytes;
  IndexHead head;
  Bytes entries;
  Bytes info;

  std::uint64_t begin() const { return block.offset - head.covered; }  // start of the blocks that it describes
  IndexEntryReader read() const { return {entries, head.entry_count, begin()}; }
  // Splits the payload, and checks all entries.
  Status parse();
};

}  // namespace evt
