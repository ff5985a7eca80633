#include "row_gaps.h"

#include <algorithm>
#include <iterator>

namespace evt {

// Blocks of a later version follow one another: they are one gap.
void RowGaps::add(std::uint32_t stream, std::uint64_t begin, const RowGap& gap) {
  const auto behind = gaps_.lower_bound({stream, begin});
  if (gap.why == RowGap::Why::kNotDecodable && behind != gaps_.begin()) {
    const auto& [place, before] = *std::prev(behind);
    if (place.first == stream && before.why == gap.why && before.end == begin && before.part == gap.part) {
      RowGap& longer = std::prev(behind)->second;
      longer.end = gap.end;
      longer.to = gap.to;
      return;
    }
  }
  gaps_.emplace_hint(behind, Place{stream, begin}, gap);
}

// The first one of the stream that ends after the row.
RowGaps::Map::const_iterator RowGaps::first_behind(std::uint32_t stream, std::uint64_t ordinal) const {
  auto at = gaps_.upper_bound({stream, ordinal});
  if (at == gaps_.begin()) return at;
  const auto before = std::prev(at);
  return before->first.first == stream && before->second.end > ordinal ? before : at;
}

std::vector<RowGaps::Found> RowGaps::take(std::uint32_t stream, OrdinalRange rows, RowGap::Edge first,
                                          RowGap::Edge last) {
  std::vector<Found> found;
  for (auto at = first_behind(stream, rows.begin);
       at != gaps_.end() && at->first.first == stream && at->first.second < rows.end;) {
    const RowGap gap = at->second;
    const OrdinalRange of{at->first.second, gap.end};
    const OrdinalRange taken{std::max(of.begin, rows.begin), std::min(of.end, rows.end)};
    found.push_back({taken, gap});
    at = gaps_.erase(at);
    if (of.begin < taken.begin) {
      RowGap before = gap;
      before.end = taken.begin;
      before.to = first;
      before.lost = 0;
      gaps_.emplace(Place{stream, of.begin}, before);
    }
    if (taken.end < of.end) {
      RowGap after = gap;
      after.from_start = false;
      after.from = last;
      after.lost = 0;
      at = std::next(gaps_.emplace(Place{stream, taken.end}, after).first);
    }
  }
  return found;
}

std::uint64_t RowGaps::count(RowGap::Why why, std::uint32_t stream, OrdinalRange rows) const {
  std::uint64_t count = 0;
  for (auto at = first_behind(stream, rows.begin);
       at != gaps_.end() && at->first.first == stream && at->first.second < rows.end; ++at) {
    if (at->second.why != why) continue;
    count += std::min(at->second.end, rows.end) - std::max(at->first.second, rows.begin);
  }
  return count;
}

OrdinalRange RowGaps::next(std::uint32_t stream, std::uint64_t ordinal) const {
  for (auto at = first_behind(stream, ordinal); at != gaps_.end() && at->first.first == stream; ++at) {
    if (at->second.why != RowGap::Why::kNotKept) return {std::max(at->first.second, ordinal), at->second.end};
  }
  return {};
}

}  // namespace evt
