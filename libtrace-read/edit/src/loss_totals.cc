#include "loss_totals.h"

#include <evt/saturating_add.h>

#include <algorithm>

#include "libtrace-read/core/src/block/multiplexed_blocks.h"

namespace evt {

std::optional<std::uint64_t> LossTotals::up_to(const StreamSpan& part) {
  const Block& block = session_.blocks[part.block];
  if (part.piece == StreamSpan::kWhole) return block.events.lost_total;
  if (latest_ != part.block) {
    latest_ = UINT32_MAX;
    // An index does not say where in a block its table is.
    const Block* const found = block.verified ? &block : blocks_.header_at(block.offset);
    if (found == nullptr || !read_pieces(blocks_, Block(*found), &table_).ok()) return std::nullopt;
    latest_ = part.block;
  }
  if (part.piece >= table_.size()) return std::nullopt;
  return table_[part.piece].lost_total;
}

std::optional<std::uint64_t> LossTotals::before(const Block& block, const Piece& piece) {
  const auto of = session_.streams.find(piece.stream_id);
  if (of == session_.streams.end()) return std::nullopt;
  const std::vector<StreamSpan>& parts = of->second.parts;
  const auto number = static_cast<std::uint32_t>(&block - session_.blocks.data());
  const auto here = std::lower_bound(parts.begin(), parts.end(), number,
                                     [](const StreamSpan& part, std::uint32_t wanted) { return part.block < wanted; });
  const StreamSpan* const previous = here == parts.begin() ? nullptr : &*(here - 1);
  Latest& latest = latest_of_[piece.stream_id];
  std::optional<std::uint64_t> lost = previous == nullptr               ? 0
                                      : previous->block == latest.block ? latest.lost
                                                                        : up_to(*previous);
  if (lost) saturating_add(&*lost, not_kept_before(piece.stream_id, static_cast<std::size_t>(here - parts.begin())));
  latest = {number, piece.lost_total};
  return lost;
}

// Events that were lost between two parts, in segments that were not kept.
std::uint64_t LossTotals::not_kept_before(std::uint32_t stream, std::size_t part) const {
  if (session_.segments == nullptr) return 0;
  std::uint64_t lost = 0;
  for (const SegmentData::Gap& gap : session_.segments->gaps_of(stream))
    lost += gap.part == part ? gap.lost_not_kept : 0;
  return lost;
}

std::optional<std::uint64_t> LossTotals::of_all(std::uint32_t stream) {
  const auto of = session_.streams.find(stream);
  if (of == session_.streams.end()) return std::nullopt;
  return of->second.parts.empty() ? 0 : up_to(of->second.parts.back());
}

}  // namespace evt
