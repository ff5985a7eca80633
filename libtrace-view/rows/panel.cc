#include "panel.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "libtrace-view/look/words.h"
#include "span_rows.h"

namespace evt::view {
namespace {

constexpr std::size_t kMostNames = 8;  // of spans, in a legend

// Rows without a name are further ones of the row above.
bool begins_kind(const Track& track, const Track* above) {
  const bool has_title = track.kind != TrackKind::kCpus && !track.name.empty();
  return has_title && (above == nullptr || above->kind != track.kind) &&
         !(track.kind == TrackKind::kThread && above != nullptr && above->kind == TrackKind::kSpan);
}

std::string capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

}  // namespace

std::vector<Heading> Panel::headings_above(std::size_t place) const {
  const Track& track = tracks[place];
  const Track* const above = place > 0 ? &tracks[place - 1] : nullptr;
  const bool is_first = above == nullptr || above->group != track.group;
  std::vector<Heading> headings;
  if (is_first && track.group < groups.size()) headings.push_back({groups[track.group].title, true});
  const bool is_one_kind = std::none_of(tracks.begin(), tracks.end(), [&](const Track& each) {
    return each.kind != tracks.front().kind && !each.name.empty();
  });
  const bool is_plain = is_one_kind || (track.kind == TrackKind::kThread && !headings.empty());
  const std::string title = capitals(title_of(track.kind));
  if (!is_plain && begins_kind(track, is_first ? nullptr : above) && title != capitals(track.name)) {
    headings.push_back({title});
  }
  return headings;
}

bool Panel::is_whole_process(std::size_t place) const {
  const std::uint32_t group = tracks[place].group;
  const auto is_thread_of_it = [&](const Track& each) {
    return each.group == group && each.kind == TrackKind::kThread;
  };
  const bool is_process = group < groups.size() && groups[group].is_process && is_thread_of_it(tracks[place]);
  if (!is_process || (place > 0 && tracks[place - 1].group == group)) return false;
  const auto next = tracks.begin() + static_cast<std::ptrdiff_t>(place) + 1;
  const auto end = std::find_if(next, tracks.end(), [&](const Track& each) { return each.group != group; });
  return std::none_of(next, end, is_thread_of_it);
}

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
          is_named(track.kind) ? hues.insert(cell.key).second : states.insert(static_cast<RowState>(cell.key)).second;
        }
      }
      for (const TrackLabel& label : track.labels) {
        if (is_named(track.kind)) room[label.text] += double{1} * (label.end - label.first) / panel.scale.columns();
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
