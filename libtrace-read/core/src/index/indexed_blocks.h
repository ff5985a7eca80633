// Indexes -> blocks: blocks of events from the index, all others from their headers. If there are few blocks, their
// headers are looked at too: a wrong index then costs nothing.
#pragma once

#include "index_chain.h"

namespace evt {

// Refers to blocks and sessions while it lives.
class IndexedBlocks {
 public:
  IndexedBlocks(BlockReader& blocks, const std::vector<IndexedSession>& sessions)
      : blocks_(blocks), sessions_(sessions), at_(sessions.front().begin) {
    std::uint64_t blocks_of_all = 0;
    for (const IndexedSession& session : sessions) {
      for (const IndexPayload& index : session.indexes) blocks_of_all += index.head.entry_count;
    }
    has_few_ = blocks_of_all <= kFewBlocks;
    begin_session();
  }

  static constexpr std::uint64_t kFewBlocks = 256;

  // The next block; null at the end, or if a header differs from what was expected. Valid until the next call.
  const Block* next();
  // The index's entries for the streams of that block's rows; null if it is not a block of rows.
  const std::vector<Piece>* pieces() const { return entry_ != nullptr ? &entry_->pieces : nullptr; }
  // True if that was the end.
  bool ok() const { return ok_; }
  // Where a header and an index contradict each other.
  const std::optional<Damage>& contradiction() const { return contradiction_; }

 private:
  void begin_session();
  const Block* rows(const IndexEntry& entry);
  bool has_header_of(const IndexEntry& entry);
  const Block* header(const IndexEntry* entry);
  const Block* fail(const IndexEntry* entry);

  BlockReader& blocks_;
  const std::vector<IndexedSession>& sessions_;
  std::size_t session_ = 0;
  std::uint64_t at_;            // offset of the next block
  std::uint64_t block_no_ = 0;  // its number
  std::size_t index_ = 0;       // the index that describes it
  IndexEntryReader entries_;
  const IndexEntry* entry_ = nullptr;  // entry of the block returned last, if it has rows
  Block block_;
  bool has_few_;
  bool ok_ = true;
  std::optional<Damage> contradiction_;
};

}  // namespace evt
