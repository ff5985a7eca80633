// Few rows of each of many streams, combined into one block: separate blocks would take more room than the rows.
#pragma once

#include "format-spec/src/block/piece_table.h"
#include "row_output.h"

namespace evt {

// Owned by the thread that writes the trace; allocates nothing. Large, but only used pages are ever touched.
class MultiplexedBlock {
 public:
  bool empty() const { return count_ == 0; }
  // Takes the slot's rows up to `commit`; false if there is no room for them, if their stream is here already, or if
  // they are not a small piece. The slot does not change until they are written. REQUIRES: it has rows that have not
  // been written.
  bool add(RowOutput& output, SlotState& slot, std::uint64_t commit);
  // Writes one block of what was added; nothing is left here, even if the write fails.
  bool write(RowOutput& output);
  // Leaves what was added in its slots.
  void clear();

  // More would not fit into an entry of the index.
  static constexpr std::uint32_t kMaxPieces = 256;

 private:
  static constexpr std::size_t kMaxBytes = 256 << 10;

  bool write_block(RowOutput& output);

  std::uint32_t count_ = 0;
  std::size_t size_ = 0;  // bytes of rows
  TypeCounts* counts_ = nullptr;
  UnwrittenRows unwritten_[kMaxPieces];
  Piece pieces_[kMaxPieces];
  std::uint8_t table_[EVT_PIECE_TABLE_HEAD + kMaxPieces * kMaxPiece];
  std::uint8_t rows_[kMaxBytes];
};

}  // namespace evt
