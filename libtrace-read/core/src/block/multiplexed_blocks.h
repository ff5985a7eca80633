// Blocks that have rows of several streams: their tables, and their rows, which are decoded once for all streams.
#pragma once

#include <list>
#include <unordered_map>
#include <vector>

#include "decode_ahead.h"
#include "format-spec/src/block/piece_table.h"
#include "indexed_block_verifier.h"

namespace evt {

// A hash of what distinguishes pieces of streams from others, except their times.
std::uint64_t mark_of(const std::vector<Piece>& pieces);

// The table of a multiplexed block, without its rows.
Status read_pieces(BlockReader& blocks, const Block& block, std::vector<Piece>* pieces);

// Keeps the rows of the blocks that were used last, as long as they have at most `most_bytes`, or are a single block;
// and the tables of others, to read single pieces where rows are stored as they are.
class MultiplexedBlocks {
 public:
  MultiplexedBlocks(BlockReader& blocks, IndexedBlockVerifier& verifier, BlockDecoder& decoder, std::size_t most_bytes)
      : blocks_(blocks), verifier_(verifier), decoder_(decoder), most_bytes_(most_bytes) {}

  struct Part {
    Piece piece;
    Bytes rows;                   // empty: they are not in memory
    std::uint64_t stored_at = 0;  // in the payload; 0: not as they are
  };
  // Finds one piece of a block, which must not move in memory. Without its rows, the status has the reason; the table's
  // entry for the piece is there if the table can be read. Valid until the next call.
  Status find(Block* block, std::uint32_t number, Part* part);
  // Announces the block that will be requested next: it is decoded ahead if there is room.
  void expect(Block* block, DecodeAhead* ahead);

 private:
  struct Decoded {
    const Block* block = nullptr;
    Status status;
    SharedBuffer rows;
    std::vector<Part> parts;
  };
  const Decoded& decoded(Block* block);
  Status decode(Block* block, Decoded* to);
  Status take_rows(Decoded* to, std::vector<Piece>* pieces);
  void forget_beyond(std::size_t bytes);
  void keep_table(Decoded* of);
  void tell_what_is_missing(const Block& block, Decoded* of);

  BlockReader& blocks_;
  IndexedBlockVerifier& verifier_;
  BlockDecoder& decoder_;
  std::size_t most_bytes_;
  std::list<Decoded> latest_;  // the last used first
  std::size_t bytes_ = 0;
  std::unordered_map<const Block*, std::vector<Part>> tables_;  // without rows; not those of latest_
  std::size_t parts_ = 0;                                       // in them
  DecodeAhead* ahead_ = nullptr;
  std::shared_ptr<DecodeAhead::Ticket> ticket_;  // for the block that is expected
  const Block* expected_ = nullptr;
};

}  // namespace evt
