#include "indexed_block_verifier.h"

#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/core/src/base/damaged.h"

namespace evt {
namespace {

// Recovered blocks have no number.
bool has_number_of(const Block& found, const Block& indexed) {
  return found.header.block_no == indexed.header.block_no || found.header.block_no == EVT_BLOCK_NO_RECOVERED;
}

// The header must state what the index did about the block's rows; else the other blocks of their stream would not fit.
bool same_rows(const Block& found, const Block& indexed) {
  return has_number_of(found, indexed) && found.events.stream_id == indexed.events.stream_id &&
         found.events.clock_id == indexed.events.clock_id && found.events.row_count == indexed.events.row_count &&
         found.events.first_ordinal == indexed.events.first_ordinal && found.events.layout == indexed.events.layout &&
         found.header.codec == indexed.header.codec;
}

std::string rows_of(const Block& block) {
  return fmt::format("{} rows from {} on of stream {} on clock {}", block.events.row_count, block.events.first_ordinal,
                     block.events.stream_id, block.events.clock_id);
}

// For a header at the place where the index has the block.
std::string difference(const Block& found, const Block& indexed) {
  if (!has_number_of(found, indexed)) {
    return fmt::format("by the index block {} is here, by its header it is block {}", indexed.header.block_no,
                       found.header.block_no);
  }
  return fmt::format("the index has {}, the header {}", rows_of(indexed), rows_of(found));
}

}  // namespace

bool is_indexed(const Block& found, const Block& indexed) {
  const std::uint64_t size = indexed.end() - indexed.offset;
  const std::uint64_t found_size = found.end() - found.offset;
  return found.header.type == EVT_BLOCK_EVENTS && found.header.must_understand == 0 &&
         found.header.session_id == indexed.header.session_id && found_size <= size &&
         size - found_size < EVT_ALIGNMENT;
}

// An index was trusted, and one of its blocks is not where it states: now all headers are looked at.
IndexedBlockVerifier::Moved IndexedBlockVerifier::find_all_moved() {
  Moved moved;
  Ledger ledger;  // damage is met where rows are read
  BlockReader walk = blocks_.anew(ledger);
  while (const Block* const block = walk.next()) {
    if (block->header.type != EVT_BLOCK_EVENTS) continue;
    moved.places.push_back({block->header.session_id, block->header.block_no, block->offset});
  }
  std::ranges::sort(moved.places);
  if (walk.met_disorder()) walk.sort();
  moved.misplaced = walk.misplaced();
  blocks_.count_read(walk.bytes_read());
  return moved;
}

// Finds the block of that number, if it has the rows that the index describes.
bool IndexedBlockVerifier::find_moved(const Block& indexed, Block* found) {
  if (!moved_) moved_ = find_all_moved();
  const Moved::Place wanted{indexed.header.session_id, indexed.header.block_no, 0};
  const auto at = std::ranges::lower_bound(moved_->places, wanted);
  if (at == moved_->places.end() || at->session != wanted.session || at->number != wanted.number) return false;
  if (at->offset == indexed.offset) return false;
  const Block* const block = blocks_.header_at(at->offset);
  if (block == nullptr || !is_indexed(*block, indexed) || !same_rows(*block, indexed)) return false;
  *found = *block;
  if (moved_->misplaced.empty()) {
    ledger_.add(
        {found->offset, 0, fmt::format("by the index block {} is at {}", found->header.block_no, indexed.offset)});
  } else if (!moved_->is_noted) {  // all of them: one that was moved moves later ones
    for (const Damage& misplaced : moved_->misplaced) ledger_.add(misplaced);
    moved_->is_noted = true;
  }
  return true;
}

Status IndexedBlockVerifier::verify(Block* block) {
  const Block* const here = blocks_.header_at(block->offset);
  const bool is_there = here != nullptr && is_indexed(*here, *block);
  Block verified = is_there ? *here : Block();
  if ((!is_there || !same_rows(verified, *block)) && !find_moved(*block, &verified)) {
    return damaged(is_there ? difference(verified, *block)
                            : fmt::format("by the index {} are here, and there is no such block", rows_of(*block)));
  }
  const EventsHeader& found = verified.events;
  if (found.first_ticks != block->events.first_ticks || found.last_ticks != block->events.last_ticks ||
      found.lost_total != block->events.lost_total) {
    ledger_.add({block->offset, 0,
                 fmt::format("the index has ticks {} to {} and {} lost, the header {} to {} and {}",
                             block->events.first_ticks, block->events.last_ticks, block->events.lost_total,
                             found.first_ticks, found.last_ticks, found.lost_total)});
    // Other blocks were put in order by the index's statements.
    verified.events.first_ticks = block->events.first_ticks;
    verified.events.last_ticks = block->events.last_ticks;
  }
  verified.pieces_mark = block->pieces_mark;
  *block = verified;
  return {};
}

}  // namespace evt
