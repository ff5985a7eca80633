// Headers that were not looked at when the trace was opened, because an index told of their blocks.
#include <fmt/format.h>

#include "block_reader.h"

namespace evt {
namespace {

// What the header says of the block's rows must be what their stream was told; else its other blocks would not fit.
bool same_rows(const Block& a, const Block& b) {
  return a.events.stream_id == b.events.stream_id && a.events.clock_id == b.events.clock_id &&
         a.events.row_count == b.events.row_count && a.events.first_ordinal == b.events.first_ordinal &&
         a.events.layout == b.events.layout && a.header.codec == b.header.codec;
}

std::string rows_of(const Block& block) {
  return fmt::format("{} rows from {} on of stream {} on clock {}", block.events.row_count, block.events.first_ordinal,
                     block.events.stream_id, block.events.clock_id);
}

}  // namespace

const Block* BlockReader::header_at(std::uint64_t offset) {
  const Probe here = probe(offset);
  if (here.state != HeaderState::kGood || *here.why != '\0') return nullptr;
  block_ = here.block;
  return &block_;
}

bool BlockReader::confirm(Block* block, std::string* why) {
  const Block* const found = header_at(block->offset);
  const auto is_there = [&] {
    return found != nullptr && found->header.type == EVT_BLOCK_EVENTS && found->header.must_understand == 0 &&
           found->header.session_id == block->header.session_id && found->end() <= block->end() &&
           block->end() - found->end() < EVT_ALIGNMENT;
  };
  if (!is_there()) {
    *why = fmt::format("the index says that {} stand here, and there is no such block", rows_of(*block));
    return false;
  }
  if (!same_rows(*found, *block)) {
    *why = fmt::format("the index says {}, the header {}", rows_of(*block), rows_of(*found));
    return false;
  }
  Block confirmed = *found;
  confirmed.pieces_mark = block->pieces_mark;
  if (found->events.first_ticks != block->events.first_ticks || found->events.last_ticks != block->events.last_ticks ||
      found->events.lost_total != block->events.lost_total) {
    damage_.push_back({block->offset, 0,
                       fmt::format("the index says ticks {} to {} and {} lost, the header {} to {} and {}",
                                   block->events.first_ticks, block->events.last_ticks, block->events.lost_total,
                                   found->events.first_ticks, found->events.last_ticks, found->events.lost_total)});
    // Other blocks were put in order by what the index said.
    confirmed.events.first_ticks = block->events.first_ticks;
    confirmed.events.last_ticks = block->events.last_ticks;
  }
  *block = confirmed;
  return true;
}

}  // namespace evt
