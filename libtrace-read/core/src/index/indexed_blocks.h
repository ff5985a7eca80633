// Indexes -> blocks: those of events as an index has them, all others by their headers.
#pragma once

#include "index_chain.h"

namespace evt {

// Refers to blocks and sessions while it lives.
class IndexedBlocks {
 public:
  IndexedBlocks(BlockReader& blocks, const std::vector<IndexedSession>& sessions)
      : blocks_(blocks), sessions_(sessions), at_(sessions.front().begin) {
    begin_session();
  }

  // The next block; null at the end, or where a header is not what was expected. Holds until the next call.
  const Block* next();
  // What the index has of the streams of that block's rows; null when it is no block of rows.
  const std::vector<Piece>* pieces() const { return entry_ != nullptr ? &entry_->pieces : nullptr; }
  // Whether that was the end.
  bool ok() const { return ok_; }
  // Where a header and an index contradict each other.
  const std::optional<Damage>& contradiction() const { return contradiction_; }

 private:
  void begin_session();
  const Block* rows(const IndexEntry& entry);
  const Block* header(const IndexEntry* entry);
  const Block* fail(const IndexEntry* entry);

  BlockReader& blocks_;
  const std::vector<IndexedSession>& sessions_;
  std::size_t session_ = 0;
  std::uint64_t at_;            // of the next block
  std::uint64_t block_no_ = 0;  // its number
  std::size_t index_ = 0;       // that describes it
  IndexEntryReader entries_;
  const IndexEntry* entry_ = nullptr;  // of the block that was handed out last, if it has rows
  Block block_;
  bool ok_ = true;
  std::optional<Damage> contradiction_;
};

}  // namespace evt
