// Checks that headers, and the index, agree with the rows themselves; reading does not need it.
#pragma once

#include <map>

#include "format-spec/src/block/piece_table.h"
#include "libtrace-read/core/src/block/block_decoder.h"
#include "libtrace-read/core/src/session/session_builder.h"

namespace evt {

// Refers to blocks and damage while it lives. Leaves unreadable blocks to the code that reads them.
class RowCheck {
 public:
  RowCheck(BlockReader& blocks, Ledger& ledger) : blocks_(blocks), ledger_(ledger), decoder_(blocks) {}

  void check(const SessionData& session);

 private:
  struct Stream {
    std::uint64_t next_ordinal = 0;
    std::uint64_t lost = 0;
    bool ended = false;      // by a row
    bool was_named = false;  // reported as continuing after its end
  };

  bool read(const Block& block);
  void check_piece(const Block& block, const Piece& piece, Bytes rows);
  void check_counts(const SessionData& session);

  BlockReader& blocks_;
  Ledger& ledger_;
  BlockDecoder decoder_;
  std::vector<std::byte> rows_;
  // The session's streams.
  std::map<std::uint32_t, Stream> streams_;
  std::vector<std::uint64_t> counts_;  // number of rows, by type
  bool knows_all_ = true;
};

}  // namespace evt
