#include "multiplexed_block.h"

#include <string.h>

#include "format-spec/src/row/row_reader.h"

namespace evt {
namespace {

// For more than this, a separate block costs at most 3 % for its header.
constexpr std::size_t kSmall = 4 << 10;

}  // namespace

bool MultiplexedBlock::add(RowOutput& output, SlotState& slot, std::uint64_t commit) {
  const std::uint64_t flushed = slot.flushed();
  const std::size_t size = ring::bytes_of(commit) - ring::bytes_of(flushed);
  const std::uint8_t* const rows = slot.rows + ring::bytes_of(flushed);
  const bool one_clock = count_ == 0 || slot.clock_id() == unwritten_[0].events.clock_id;
  const bool fits = count_ < kMaxPieces && size <= kMaxBytes - size_ && one_clock;
  if (!fits || size > kSmall || slot.stream->multiplexed ||
      begins_with_jump({reinterpret_cast<const std::byte*>(rows), size}))
    return false;
  if (count_ == 0) counts_ = output.begin_counts();
  memcpy(rows_ + size_, rows, size);
  unwritten_[count_] = output.describe(slot, commit, counts_);
  slot.stream->multiplexed = true;
  size_ += size;
  count_ += 1;
  return true;
}

bool MultiplexedBlock::write(RowOutput& output) {
  const bool written = count_ == 0 || write_block(output);
  for (std::uint32_t i = 0; i < count_ && written; ++i) output.note_written(unwritten_[i]);
  clear();
  return written;
}

void MultiplexedBlock::clear() {
  for (std::uint32_t i = 0; i < count_; ++i) unwritten_[i].slot->stream->multiplexed = false;
  count_ = 0;
  size_ = 0;
}

bool MultiplexedBlock::write_block(RowOutput& output) {
  // A block has one bound: that of the last piece.
  const std::uint64_t bound = unwritten_[count_ - 1].events.bound_ticks;
  bool unsorted = false;
  for (std::uint32_t i = 0; i < count_; ++i) {
    RowOutput::set_bound(&unwritten_[i], bound);
    pieces_[i] = piece_of(unwritten_[i].events);
    unsorted |= unwritten_[i].facts.unsorted;
  }
  if (count_ == 1) return output.write_block(rows_, unsorted, unwritten_[0].events);
  const EventsHeader events = multiplexed_header(pieces_, count_, unwritten_[0].events.clock_id, bound);
  const PieceTableBytes table = {table_, store_piece_table(events, pieces_, count_, table_), pieces_, count_};
  return output.write_block(rows_, unsorted, events, &table);
}

}  // namespace evt
