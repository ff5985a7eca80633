// Few rows of each of many streams, put together into one block: a block each would take more room than what it holds.
#pragma once

#include "format-spec/src/block/piece_table.h"
#include "row_output.h"

namespace evt {

// Owned by the thread that writes the trace; allocates nothing. Large, of which only what is used is ever touched.
class MultiplexedBlock {
 public:
  bool empty() const { return count_ == 0; }
  // Takes what the slot has up to `commit`; false when there is no room for it, or its stream is here already, or it is
  // no small piece. The slot stays as it is until they are written. REQUIRES: it has rows that have not been written.
  bool add(RowOutput& output, SlotState& slot, std::uint64_t commit);
  // One block of what was added; nothing is left here, whether it could be written or not.
  bool write(RowOutput& output);
  // Leaves what was added in its slots.
  void clear();

  // More would be too many for an entry of the index.
  static constexpr std::uint32_t kMaxPieces = 256;

 private:
  static constexpr std::size_t kMaxBytes = 256 << 10;

  bool write_block(RowOutput& output);

  std::uint32_t count_ = 0;
  std::size_t size_ = 0;  // of the rows
  TypeCounts* counts_ = nullptr;
  UnwrittenRows unwritten_[kMaxPieces];
  Piece pieces_[kMaxPieces];
  std::uint8_t table_[EVT_PIECE_TABLE_HEAD + kMaxPieces * kMaxPiece];
  std::uint8_t rows_[kMaxBytes];
};

}  // namespace evt
