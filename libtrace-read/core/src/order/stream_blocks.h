// One stream's blocks -> the bytes of their rows: those of the next block, or the next slice of a large one.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <memory>
#include <span>

#include "libtrace-read/core/src/session/session_data.h"
#include "row_context.h"

namespace evt {

// Refers to its context and parts while it lives. Does not note damage: the code that reads the rows does.
class StreamBlocks {
 public:
  // Reads the parts of one run, with this number.
  StreamBlocks(RowContext& context, std::size_t run, std::span<const StreamSpan> parts)
      : context_(context), run_(run), parts_(parts) {}

  // The reading position; a copy can be restored within the same window.
  struct Place {
    std::size_t part = 0;           // index of the part
    bool open = false;              // it has been begun
    EventsHeader rows_of_part;      // describes its rows
    std::uint64_t stored_at = 0;    // their offset in the payload, if they are stored unpacked; else 0
    std::uint64_t slice_start = 0;  // the slice's start within the rows
    std::size_t at = 0;             // the next row within the slice
    SharedBuffer slice;
    std::shared_ptr<DecodeAhead::Ticket> ahead;  // the next block's
  };
  const Place& place() const { return place_; }
  void put_back(const Place& place) { place_ = place; }

  const Block& first() const { return block_of(0); }
  bool is_first() const { return place_.part == 0; }
  bool at_end() const { return place_.part == parts_.size(); }

  // For the current part: the block that has it, and the description of its rows.
  const Block& block() const { return block_of(place_.part); }
  std::uint32_t piece() const { return parts_[place_.part].piece; }
  const StreamSpan& part() const { return parts_[place_.part]; }
  bool is_piece() const { return piece() != StreamSpan::kWhole; }
  const EventsHeader& header() const { return place_.rows_of_part; }
  bool is_open() const { return place_.open; }
  // Begins the part, and reads its first rows. Its header is available in any case. REQUIRES: !at_end()
  Status open();
  // Moves to the next part.
  void leave();

  // The rows in memory from the current place on; empty if there are none, or none yet.
  Bytes rows() const {
    if (place_.slice == nullptr) return {};
    return {place_.slice->data.get() + place_.at, place_.slice->size - place_.at};
  }
  bool has_slice() const { return place_.slice != nullptr; }
  // Bytes of the part's rows from the current place on, in memory or not.
  std::uint64_t left() const { return place_.rows_of_part.rows_size - place_.slice_start - place_.at; }
  void step_over(std::size_t size) { place_.at += size; }
  // Reads on from the current place: `wanted` bytes, more if a slice has more.
  Status read_on(std::size_t wanted) { return read_slice(place_.slice_start + place_.at, wanted); }
  // Releases the current bytes; they are read again when they are needed. Rows that were taken keep theirs until the
  // window moves on.
  void drop_slice();

 private:
  Status read_slice(std::uint64_t start, std::size_t wanted);
  Status fill_slice(std::uint64_t start, std::size_t wanted, BufferBytes* slice);
  Status unpack_slice(std::uint64_t start, BufferBytes* slice);
  Status check_plain();
  void begin_slice(SharedBuffer slice, std::uint64_t start);
  Status open_slice();
  void ask_ahead();
  // The rows are in the payload as they are, at place_.stored_at.
  bool is_stored() const { return place_.stored_at != 0 || BlockDecoder::is_plain(block()); }
  Block& block_of(std::size_t part) const { return (*context_.event_blocks)[parts_[part].block]; }
  SpooledRows::Source source() const { return {block().offset, piece()}; }

  RowContext& context_;
  std::size_t run_;
  std::span<const StreamSpan> parts_;
  Place place_;
};

}  // namespace evt
