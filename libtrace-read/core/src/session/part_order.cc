#include "part_order.h"

#include <algorithm>

namespace evt {

PartOrder::PartOrder(SessionData& data, std::uint32_t stream_id, StreamParts& stream)
    : data_(data), id_(stream_id), stream_(stream) {
  if (data.segments == nullptr) return;
  const auto late = data.segments->late_rows.find(id_);
  if (late != data.segments->late_rows.end()) late_ = late->second;
  const auto gaps = data.segments->gaps.find(id_);
  if (gaps != data.segments->gaps.end()) gaps_ = gaps->second;
}

bool PartOrder::has_clock(StreamSpan span) const {
  return data_.clocks.contains(data_.blocks[span.block].events.clock_id);
}

void PartOrder::settle() {
  if (data_.segments == nullptr) {
    stream_.parts.erase_if([this](StreamSpan span) { return !has_clock(span); });
    return;
  }
  std::ranges::sort(late_, [](const auto& a, const auto& b) { return a.rows.begin < b.rows.begin; });
  auto& all = data_.segments->extracts;
  const auto begin = all.lower_bound({id_, 0});
  const auto end = all.upper_bound({id_, SIZE_MAX});
  const std::map<std::pair<std::uint32_t, std::size_t>, Extract> extracts(begin, end);
  all.erase(begin, end);
  for (std::size_t i = 0; i < stream_.parts.size(); ++i) {
    put_before(i);
    const auto extract = extracts.find({id_, i});
    put(stream_.parts[i], extract == extracts.end() ? nullptr : &extract->second);
  }
  put_before(stream_.parts.size());
  stream_.parts.assign(parts_);
}

// Moves the late parts and gaps that belong before this part.
void PartOrder::put_before(std::size_t part) {
  for (;;) {
    if (is_late_next(part)) {
      const Extract extract{late_.front().rows, true};
      put(late_.front().span, &extract);
      late_ = late_.subspan(1);
    } else if (!gaps_.empty() && gaps_.front().part <= part) {
      gaps_.front().part = parts_.size();
      gaps_ = gaps_.subspan(1);
    } else {
      return;
    }
  }
}

bool PartOrder::is_late_next(std::size_t part) const {
  if (late_.empty() || late_.front().part > part) return false;
  return gaps_.empty() || gaps_.front().part > part || late_.front().rows.begin < gaps_.front().next_ordinal;
}

void PartOrder::put(StreamSpan span, const Extract* extract) {
  if (!has_clock(span)) return;
  if (extract != nullptr) data_.segments->extracts[{id_, parts_.size()}] = *extract;
  parts_.push_back(span);
}

}  // namespace evt
