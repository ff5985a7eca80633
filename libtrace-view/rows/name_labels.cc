#include "name_labels.h"

#include <algorithm>

namespace evt::view {

// What is outside the scale has the column at its end alone.
void NameLabels::add(const Scale& scale, std::uint32_t name, std::int64_t from_ns, std::int64_t to_ns) {
  const std::uint32_t first = scale.column_of(from_ns);
  const std::uint32_t end = scale.column_of(std::max(from_ns, to_ns - 1)) + 1;
  if (end - first >= kLeastColumns) labels_.push_back({first, end, name});
}

void NameLabels::coarsen() {
  for (Label& label : labels_) label = {label.first / 2, (label.end + 1) / 2, label.name};
  std::erase_if(labels_, [](const Label& label) { return label.end - label.first < kLeastColumns; });
}

void NameLabels::show(const Zoom& zoom, const EventNames& names, std::vector<TrackLabel>* labels) const {
  for (const Label& label : labels_) {
    const std::uint32_t first = std::max(label.first, zoom.first());
    const std::uint32_t end = std::min(label.end, zoom.end());
    if (first >= end) continue;
    const std::uint32_t as_first = zoom.column(first);
    const std::uint32_t as_end = zoom.column(end - 1) + 1;
    if (as_end - as_first >= kLeastColumns) labels->push_back({as_first, as_end, names.text(label.name)});
  }
}

}  // namespace evt::view
