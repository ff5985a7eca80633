// Blocks that have rows of several streams: their tables, and their rows, which are decoded once for all streams.
#pragma once

#include <list>
#include <string>
#include <vector>

#include "block_decoder.h"
#include "format-spec/src/block/piece_table.h"

namespace evt {

// What tells pieces of streams from others, but for when they were.
std::uint64_t mark_of(const std::vector<Piece>& pieces);

// The table of a gathered block; without its rows. Empty, or why not.
std::string read_pieces(BlockReader& blocks, const Block& block, std::vector<Piece>* pieces);

// Keeps the rows of the blocks that were used last, while they come to no more than so many bytes, or are one.
class GatheredBlocks {
 public:
  GatheredBlocks(BlockReader& blocks, BlockDecoder& decoder, std::size_t most_bytes)
      : blocks_(blocks), decoder_(decoder), most_bytes_(most_bytes) {}

  struct Part {
    Piece piece;
    Bytes rows;
  };
  // One piece of a block, which stays where it is in memory. Empty, or why its rows cannot be had: an index may have
  // told of them, and what is said of them may be all there is. Valid until the next call.
  std::string find(Block* block, std::uint32_t number, Part* part);

 private:
  struct Decoded {
    const Block* block = nullptr;
    std::string wrong;
    std::vector<std::byte> rows;
    std::vector<Part> parts;
  };
  const Decoded& decoded(Block* block);
  std::string decode(Block* block, Decoded* to);
  void tell_what_is_missing(const Block& block, Decoded* of);

  BlockReader& blocks_;
  BlockDecoder& decoder_;
  std::size_t most_bytes_;
  std::list<Decoded> latest_;  // the last used first
  std::size_t bytes_ = 0;
};

}  // namespace evt
