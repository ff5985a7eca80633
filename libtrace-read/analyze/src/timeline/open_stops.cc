#include "open_stops.h"

namespace evt {

void OpenStops::take(const LateEvent& late, TimelineItem at, TimelineItems* items) {
  at.kind = late.is_end ? ItemKind::kStopEnded : ItemKind::kStopBegan;
  at.part = late.part;
  at.name = late.name;
  at.value = late.number;
  at.is_complete = true;
  if (late.is_end) {
    // A stop that began before the first event that was read is not stored.
    const auto begin = begin_of_.find(late.order);
    if (begin != begin_of_.end()) {
      open_.erase(begin->second);
      begin_of_.erase(begin);
      --count(late.part);
    }
    at.depth = count(late.part);
  } else {
    open_[begun_] = {late.part, late.name, late.began_ns(), late.number, late.order};
    begin_of_[late.order] = begun_++;
    at.depth = count(late.part)++;
  }
  items->append(at);
}

void OpenStops::begin(TimelineItem at, TimelineItems* items) const {
  std::vector<std::uint32_t> before(counts_.size());
  at.is_complete = true;
  for (const auto& [begun, stop] : open_) {
    at.part = stop.part;
    at.name = stop.name;
    at.value = stop.suspended_ns;
    at.began_ns = stop.began_ns;
    at.depth = before[stop.part + std::uint32_t{1}]++;
    items->append(at, ItemKind::kStopBegan);
  }
}

void OpenStops::finish(TimelineItem at, TimelineItems* items) const {
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    at.part = static_cast<std::uint32_t>(i) - 1;
    for (at.depth = counts_[i]; at.depth-- > 0;) items->append(at, ItemKind::kStopEnded);
  }
}

void OpenStops::archive(Archive& archive, std::size_t names) {
  std::vector<Stop> stops;
  for (const auto& [begun, stop] : open_) stops.push_back(stop);
  archive.list(stops, Archive::kMost, [&](Stop& stop) {
    archive.index(stop.part, counts_.size() - 1);
    archive.index(stop.name, names);
    archive.numbers(stop.began_ns, stop.suspended_ns, stop.order);
    if (!archive.is_reading()) return;
    archive.require(begin_of_.emplace(stop.order, begun_).second);
    open_[begun_++] = stop;
    ++count(stop.part);
  });
}

}  // namespace evt
