#include "headings.h"

#include <algorithm>
#include <cctype>

#include "words.h"

namespace evt::view {
namespace {

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

std::vector<Heading> headings_above(const Panel& panel, std::size_t place) {
  const std::vector<Track>& tracks = panel.tracks;
  const Track& track = tracks[place];
  const Track* const above = place > 0 ? &tracks[place - 1] : nullptr;
  const bool is_first = above == nullptr || above->group != track.group;
  std::vector<Heading> headings;
  if (is_first && track.group < panel.groups.size()) headings.push_back({panel.groups[track.group].title, true});
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

bool is_whole_process(const Panel& panel, std::size_t place) {
  const std::vector<Track>& tracks = panel.tracks;
  const std::uint32_t group = tracks[place].group;
  const auto is_thread_of_it = [&](const Track& each) {
    return each.group == group && each.kind == TrackKind::kThread;
  };
  const bool is_process =
      group < panel.groups.size() && panel.groups[group].is_process && is_thread_of_it(tracks[place]);
  if (!is_process || (place > 0 && tracks[place - 1].group == group)) return false;
  const auto next = tracks.begin() + static_cast<std::ptrdiff_t>(place) + 1;
  const auto end = std::find_if(next, tracks.end(), [&](const Track& each) { return each.group != group; });
  return std::none_of(next, end, is_thread_of_it);
}

std::string process_name(const RowGroup& process, const Track& thread) {
  const std::string name = thread.name.substr(0, thread.name.rfind(' '));
  const bool is_known = process.title.find(name) != std::string::npos || thread.name.starts_with("thread ");
  return is_known ? process.title : process.title + ": " + name;
}

}  // namespace evt::view
