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

bool is_recovered(const Block& block) { return block.header.block_no == EVT_BLOCK_NO_RECOVERED; }

bool ends_recovery(const Block& block) { return block.header.type == EVT_BLOCK_SESSION && is_recovered(block); }

// A repeat begins with it.
bool begins_repeat(const Block& block) { return block.header.type == EVT_BLOCK_SESSION && !is_recovered(block); }

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
  Keeping(TraceData& trace, const std::vector<Block>& blocks, bool hands_out, HandedOut* handed_out)
      : trace_(trace), hands_out_(hands_out), handed_out_(*handed_out) {
    recoveries_ = static_cast<std::size_t>(std::ranges::count_if(
        blocks, [this](const Block& block) { return is_of_last(block) && ends_recovery(block); }));
    repeats_ = static_cast<std::size_t>(std::ranges::count_if(
        blocks, [this](const Block& block) { return is_of_last(block) && begins_repeat(block); }));
    syncs_ = static_cast<std::size_t>(
        std::ranges::count(blocks, EVT_BLOCK_SYNC, [](const Block& block) { return block.header.type; }));
  }

  // Asked of each block in its turn.
  bool needs(const Block& block) {
    if (!is_of_last(block)) return true;
    if (begins_repeat(block)) --repeats_;
    if (ends_recovery(block)) --recoveries_;
    const std::uint16_t type = block.header.type;
    if (type == EVT_BLOCK_SYNC) return syncs_-- <= kSyncs;
    if (type == EVT_BLOCK_TRAILER) return !block.ends_with_more();  // the session stays closed
    if (type == EVT_BLOCK_EVENTS) return has_new_rows(block);
    // Each recovery describes all that the file lacked then.
    const bool is_past = is_recovered(block) && recoveries_ > (ends_recovery(block) ? 0 : 1);
    return describes(type) && repeats_ < 2 && !is_past;
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
      if (hands_out_) stream.next_ordinal = std::max(stream.next_ordinal, stream.in_file);
      any |= piece.first_ordinal + piece.row_count > stream.next_ordinal;
    }
    return any;
  }

  TraceData& trace_;
  bool hands_out_;
  HandedOut& handed_out_;
  std::size_t repeats_;
  std::size_t syncs_;
  std::size_t recoveries_;  // that end later
};

}  // namespace

std::optional<KeptBlocks> kept_blocks(TraceData& trace, std::uint64_t end, std::size_t most, bool hands_out,
                                      HandedOut* handed_out) {
  if (hands_out) {
    for (auto& [id, stream] : handed_out->streams) stream.next_ordinal = stream.in_file;
  }
  const std::vector<Block> blocks = blocks_of_last_session(trace, end);
  Keeping keeping(trace, blocks, hands_out, handed_out);
  std::vector<const Block*> needed;
  std::size_t size = 0;
  for (const Block& block : blocks) {
    if (!keeping.needs(block)) continue;
    if (block.end() - block.offset > most - size) return std::nullopt;
    size += static_cast<std::size_t>(block.end() - block.offset);
    needed.push_back(&block);
  }
  KeptBlocks all{fresh_buffer(size)};
  std::byte* const kept = all.bytes->data.get();
  std::vector<std::size_t> numbered;
  std::size_t at = 0;
  for (const Block* const block : needed) {
    all.places.push_back({at, block->offset});
    const bool is_of_last = block->header.session_id == handed_out->session_id;
    if (is_of_last && !is_recovered(*block)) numbered.push_back(at);
    const auto block_size = static_cast<std::size_t>(block->end() - block->offset);
    const std::size_t there = trace.source->read_at(block->offset, kept + at, block_size);
    std::fill_n(kept + at + there, block_size - there, std::byte{});
    at += block_size;
  }
  std::uint64_t number = trace.data.back().next_block_no;
  for (auto next = numbered.rbegin(); next != numbered.rend(); ++next) {
    renumber_block(raw(kept + *next), --number);
  }
  return all;
}

}  // namespace evt
