#include "indexed_blocks.h"

#include <evt/format.h>
#include <fmt/core.h>

#include "libtrace-read/core/src/block/indexed_block_verifier.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"

namespace evt {

void IndexedBlocks::begin_session() {
  const IndexedSession& session = sessions_[session_];
  block_no_ = session.first_block_no;
  index_ = 0;
  if (!session.indexes.empty()) entries_ = session.indexes.front().read();
}

const Block* IndexedBlocks::next() {
  entry_ = nullptr;
  while (ok_) {
    if (at_ == sessions_[session_].end) {
      if (++session_ == sessions_.size()) return nullptr;
      begin_session();
    }
    const IndexedSession& session = sessions_[session_];
    if (session.indexes.empty() || at_ == session.trailer_at) return header(nullptr);
    const IndexEntry* const entry = entries_.next();
    if (entry == nullptr) {  // the INDEX block itself
      if (++index_ < session.indexes.size()) entries_ = session.indexes[index_].read();
      return header(nullptr);
    }
    return entry->type == EVT_BLOCK_EVENTS ? rows(*entry) : header(entry);
  }
  return nullptr;
}

const Block* IndexedBlocks::rows(const IndexEntry& entry) {
  entry_ = &entry;
  block_ = entry.block();
  block_.header.session_id = sessions_[session_].id;
  block_.header.block_no = block_no_;
  if (has_few_ && !has_header_of(entry)) return fail(nullptr);
  at_ += entry.size;
  ++block_no_;
  return &block_;
}

// A block that is elsewhere, or one that this version may not read, shows when all headers are read.
bool IndexedBlocks::has_header_of(const IndexEntry& entry) {
  const Block* const here = blocks_.header_at(at_);
  if (here == nullptr || !is_indexed(*here, block_)) return false;
  const std::uint64_t number = here->header.block_no;
  if (number != block_no_ && number != EVT_BLOCK_NO_RECOVERED) return false;
  Block found = *here;
  std::vector<Piece> pieces;
  if (is_multiplexed(found.events.layout) && !read_pieces(blocks_, found, &pieces).ok()) return false;
  found.pieces_mark = mark_of(pieces);
  if (entry.has_rows_of(found)) return true;
  contradiction_ = Damage{at_, 0, kOtherRows};
  return false;
}

// Returns a block as its header describes it. `entry`: its entry in the index, if any.
const Block* IndexedBlocks::header(const IndexEntry* entry) {
  const IndexedSession& session = sessions_[session_];
  const Block* const block = blocks_.header_at(at_);
  if (block == nullptr || block->header.session_id != session.id) return fail(entry);
  const std::uint64_t size = block->padded_end() - at_;
  const std::uint64_t number = block->header.block_no;
  const bool in_order = number == block_no_ || number == EVT_BLOCK_NO_RECOVERED;
  const bool as_indexed = entry == nullptr || (entry->type == block->header.type && entry->size == size);
  const std::uint64_t end = at_ < session.trailer_at ? session.trailer_at : session.end;
  if (!in_order || !as_indexed || size > end - at_) return fail(entry);
  at_ += size;
  ++block_no_;
  return block;
}

const Block* IndexedBlocks::fail(const IndexEntry* entry) {
  ok_ = false;
  if (entry != nullptr) {
    contradiction_ = Damage{at_, 0,
                            fmt::format("the index is not used: by it block {} is here, of type {} and {} "
                                        "bytes, and it is not",
                                        block_no_, entry->type, entry->size)};
  }
  return nullptr;
}

}  // namespace evt
