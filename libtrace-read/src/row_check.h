// Whether headers say of rows what the rows say themselves: for who wants to know, not for who reads.
#pragma once

#include <map>

#include "block_decoder.h"
#include "format-spec/src/piece_table.h"

namespace evt {

// Refers to blocks and damage for its whole life. What cannot be read at all is left to who reads it.
class RowCheck {
 public:
  RowCheck(BlockReader& blocks, std::vector<Damage>& damage) : blocks_(blocks), damage_(damage), decoder_(blocks) {}

  // The blocks of one session, in the order of the file.
  void check(const std::vector<Block>& blocks);

 private:
  struct Stream {
    std::uint64_t next_ordinal = 0;
    std::uint64_t lost = 0;
  };

  bool read(const Block& block);
  void check_piece(const Block& block, const Piece& piece, Bytes rows, std::map<std::uint32_t, Stream>& streams);

  BlockReader& blocks_;
  std::vector<Damage>& damage_;
  BlockDecoder decoder_;
  std::vector<std::byte> rows_;
};

}  // namespace evt
