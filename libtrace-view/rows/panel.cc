#include "panel.h"

#include <algorithm>
#include <map>

#include "span_rows.h"

namespace evt::view {
namespace {

constexpr std::size_t kMostNames = 8;  // of spans, in a legend

}  // namespace

Contents::Contents(const std::vector<Panel>& panels) {
  std::map<std::string, double> room;  // of each name, in parts of a panel
  std::set<Key> hues;
  for (const Panel& panel : panels) {
    for (const Track& track : panel.tracks) {
      has_uncertain |= !track.uncertain.is_empty();
      has_stopped |= !track.stopped.is_empty();
      has_lost |= !track.lost.is_empty();
      for (const Shares& shares : track.shares) {
        for (const Shares::Cell& cell : shares.cells()) {
          if (is_named(track.kind)) hues.insert(cell.key);
          if (!is_named(track.kind)) states.insert(static_cast<RowState>(cell.key));
        }
      }
      for (const TrackLabel& label : track.labels) {
        if (is_named(track.kind))
          room[label.text] += static_cast<double>(label.end - label.first) / panel.scale.columns();
      }
    }
  }
  for (const auto& [name, part] : room) spans.push_back({name, hue_of(name)});
  std::stable_sort(spans.begin(), spans.end(),
                   [&](const SpanName& a, const SpanName& b) { return room[a.name] > room[b.name]; });
  if (spans.size() > kMostNames) spans.resize(kMostNames);
  for (const SpanName& span : spans) hues.erase(span.hue);
  has_other_spans = !hues.empty();
}

}  // namespace evt::view
