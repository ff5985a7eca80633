#include "kept_blocks.h"

#include <algorithm>
#include <unordered_set>

#include "libtrace-read/core/src/base/raw_bytes.h"
#include "libtrace-read/core/src/block/multiplexed_blocks.h"

namespace evt {
namespace {

constexpr std::size_t kSyncs = 64;  // as a segment has them: FORMAT.md, section 6.7

bool describes(std::uint16_t type) {
  switch (type) {
    case EVT_BLOCK_SESSION:
    case EVT_BLOCK_CLOCK:
    case EVT_BLOCK_TYPES:
    case EVT_BLOCK_STREAMS:
    case EVT_BLOCK_STRINGS:
    case EVT_BLOCK_FACTS:
      return true;
    default:
      return false;
  }
}

// A repeat begins with it.
bool begins_repeat(const Block& block) {
  return block.header.type == EVT_BLOCK_SESSION && block.header.block_no != EVT_BLOCK_NO_RECOVERED;
}

// And the first block of each earlier one.
std::vector<Block> blocks_of_last_session(TraceData& trace, std::uint64_t end) {
  std::vector<Block> blocks;
  std::unordered_set<std::uint64_t> earlier;
  trace.blocks.begin_again();
  while (const Block* const block = trace.blocks.next()) {
    const std::uint64_t session = block->header.session_id;
    const bool is_of_last = session == trace.data.back().id;
    if (block->offset >= end || (!is_of_last && !begins_repeat(*block))) continue;
    if (is_of_last || earlier.insert(session).second) blocks.push_back(*block);
  }
  return blocks;
}

class Keeping {
 public:
  Keeping(TraceData& trace, const std::vector<Block>& blocks, HandedOut* handed_out)
      : trace_(trace), handed_out_(*handed_out) {
    repeats_ = static_cast<std::size_t>(std::ranges::count_if(
        blocks, [this](const Block& block) { return is_of_last(block) && begins_repeat(block); }));
    syncs_ = static_cast<std::size_t>(
        std::ranges::count(blocks, EVT_BLOCK_SYNC, [](const Block& block) { return block.header.type; }));
  }

  // Asked of each block in its turn.
  bool needs(const Block& block) {
    if (!is_of_last(block)) return true;
    if (begins_repeat(block)) --repeats_;
    const std::uint16_t type = block.header.type;
    if (type == EVT_BLOCK_SYNC) return syncs_-- <= kSyncs;
    if (type == EVT_BLOCK_TRAILER) return !block.ends_with_more();  // the session stays closed
    return type == EVT_BLOCK_EVENTS ? has_new_rows(block) : describes(type) && repeats_ < 2;
  }

 private:
  bool is_of_last(const Block& block) const { return block.header.session_id == handed_out_.session_id; }
  bool has_new_rows(const Block& block) {
    std::vector<Piece> pieces(1, piece_of(block.events));
    if (is_multiplexed(block.events.layout) && !read_pieces(trace_.blocks, block, &pieces).ok()) return false;
    bool any = false;
    for (const Piece& piece : pieces) {
      HandedOut::Stream& stream = handed_out_.streams[piece.stream_id];
      stream.in_file = std::max(stream.in_file, piece.first_ordinal + piece.row_count);
      stream.lost = std::max(stream.lost, piece.lost_total);
      any |= piece.first_ordinal + piece.row_count > stream.next_ordinal;
    }
    return any;
  }

  TraceData& trace_;
  HandedOut& handed_out_;
  std::size_t repeats_;
  std::size_t syncs_;
};

}  // namespace

std::optional<std::vector<std::byte>> kept_blocks(TraceData& trace, std::uint64_t end, std::size_t most,
                                                  HandedOut* handed_out) {
  const std::vector<Block> blocks = blocks_of_last_session(trace, end);
  Keeping keeping(trace, blocks, handed_out);
  std::vector<std::byte> kept;
  std::vector<std::size_t> numbered;
  for (const Block& block : blocks) {
    if (!keeping.needs(block)) continue;
    const std::size_t at = kept.size();
    if (block.padded_end() - block.offset > most - at) return std::nullopt;
    kept.resize(at + static_cast<std::size_t>(block.padded_end() - block.offset));
    // The padding of the last block may not be there yet: it is of zeros.
    trace.source->read_at(block.offset, kept.data() + at, kept.size() - at);
    const bool is_of_last = block.header.session_id == handed_out->session_id;
    if (is_of_last && block.header.block_no != EVT_BLOCK_NO_RECOVERED) numbered.push_back(at);
  }
  std::uint64_t number = trace.data.back().next_block_no;
  for (auto at = numbered.rbegin(); at != numbered.rend(); ++at) {
    renumber_block(raw(kept.data() + *at), --number);
  }
  return kept;
}

}  // namespace evt
