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
    // An index does not say where the table is in a block.
    const Block* const found = block.verified ? &block : blocks_.header_at(block.offset);
    if (found == nullptr || !read_pieces(blocks_, Block(*found), &table_).ok()) return std::nullopt;
    latest_ = part.block;
  }
  if (part.piece >= table_.size()) return std::nullopt;
  return table_[part.piece].lost_total;
}

// The index of the part. Parts are in the order of the file, except for late rows.
std::optional<std::size_t> LossTotals::place_of(std::uint32_t stream, const StreamSpan& span) {
  const SpanList& parts = session_.streams.at(stream).parts;
  if (session_.segments == nullptr || !session_.segments->late_rows.contains(stream)) {
    const auto found = std::lower_bound(parts.begin(), parts.end(), span);
    if (found == parts.end() || *found != span) return std::nullopt;
    return static_cast<std::size_t>(found - parts.begin());
  }
  const auto [known, is_new] = places_.try_emplace(stream);
  for (std::size_t i = 0; is_new && i < parts.size(); ++i)
    known->second.emplace(std::pair(parts[i].block, parts[i].piece), i);
  const auto found = known->second.find({span.block, span.piece});
  return found == known->second.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> LossTotals::before(const Block& block, std::uint32_t number, const Piece& piece) {
  if (!session_.streams.contains(piece.stream_id)) return std::nullopt;
  const StreamSpan here{static_cast<std::uint32_t>(&block - session_.blocks.data()), number};
  const auto place = place_of(piece.stream_id, here);
  if (!place) return std::nullopt;
  const SpanList& parts = session_.streams.at(piece.stream_id).parts;
  Latest& latest = latest_of_[piece.stream_id];
  std::optional<std::uint64_t> lost = 0;
  if (*place > 0) lost = parts[*place - 1] == latest.part ? latest.lost : up_to(parts[*place - 1]);
  if (lost) saturating_add(&*lost, not_kept_before(piece.stream_id, *place));
  latest = {here, piece.lost_total};
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
