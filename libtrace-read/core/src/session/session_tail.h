// Missing rows that only the end of a session tells: no later row of their streams shows the gap.
#pragma once

#include "libtrace-read/core/src/block/block_reader.h"
#include "libtrace-read/core/src/index/index_payload.h"
#include "session_data.h"

namespace evt {

// Used once all blocks of the session were taken, and its clocks are built. Refers to its arguments while it lives.
class SessionTail {
 public:
  SessionTail(BlockReader& blocks, Ledger& ledger, SessionData& data) : blocks_(blocks), ledger_(ledger), data_(data) {}

  // Adds the missing rows that the last index and the block inside which the file ends attribute to streams.
  void add_known();
  // Adds missing rows that the streams do not account for, once everything known about each is counted.
  void add_unknown();

 private:
  bool lacks_something() const;
  void add_indexed(const IndexedStream& indexed);
  void add_truncated();
  void add_truncated_piece(const Block& block, const Piece& piece);

  BlockReader& blocks_;
  Ledger& ledger_;
  SessionData& data_;
};

}  // namespace evt
