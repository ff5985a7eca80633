#include "lanes.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "common_name.h"
#include "shares.h"

namespace evt::view {
namespace {

bool is_of_known_states(const Track& track) {
  const auto& cells = track.shares.front().cells();
  return std::any_of(cells.begin(), cells.end(),
                     [](const Shares::Cell& cell) { return cell.key != key_of(RowState::kUnknown); });
}

std::uint64_t running_in(const Track& track) {
  std::uint64_t ns = 0;
  for (const Shares::Cell& cell : track.shares.front().cells()) {
    if (track.kind == TrackKind::kThread && cell.key == key_of(RowState::kRunning)) ns += cell.ns;
  }
  return ns;
}

bool is_seen(const ThreadLives::Life& life, const Scale& scale, std::int64_t until_ns) {
  const std::int64_t end_ns = std::min(life.ended_ns, until_ns);
  const bool is_over = end_ns < scale.from_ns() || (end_ns == scale.from_ns() && life.began_ns < end_ns);
  return life.is_thread && !is_over && life.began_ns <= scale.to_ns();
}

// The first column behind it.
std::uint32_t end_of(const ThreadLives::Life& life, const Scale& scale, std::int64_t until_ns) {
  return scale.column_of(std::max(life.began_ns, std::min(life.ended_ns, until_ns) - 1)) + 1;
}

// The lanes of a group of threads, and from which column on each is free.
class LanesOfGroup {
 public:
  // The lowest lane that is free from the column `first` on, else `next`; taken until `end`.
  std::size_t take(std::uint32_t first, std::uint32_t end, std::size_t next) {
    while (!taken_.empty() && taken_.top().first <= first) {
      free_.insert({taken_.top().second, taken_.top().first});
      taken_.pop();
    }
    const auto found = std::ranges::find_if(free_, [first](const auto& lane) { return lane.second <= first; });
    const std::size_t lane = found != free_.end() ? found->first : next;
    if (found != free_.end()) free_.erase(found);
    taken_.push({end, lane});
    return lane;
  }

 private:
  using Taken = std::pair<std::uint32_t, std::size_t>;  // until this column, and the lane

  std::map<std::size_t, std::uint32_t> free_;
  std::priority_queue<Taken, std::vector<Taken>, std::greater<>> taken_;
};

}  // namespace

// Lives come by their begins, so the lowest lane that is free is the right one.
LanePlan Lanes::plan(const ThreadLives& lives, const SpanRows& spans, const Scale& scale, std::int64_t until_ns,
                     const Wanted& wanted) {
  LanePlan plan;
  std::map<std::uint32_t, LanesOfGroup> groups;
  std::size_t lanes = 0;
  for (std::size_t i = 0; i < lives.all().size(); ++i) {
    const ThreadLives::Life& life = lives.all()[i];
    const std::string name = lives.name_of(life);
    const bool has_rows =
        wanted(TrackKind::kThread, name) || (wanted(TrackKind::kSpan, name) && !spans.of_life(i).empty());
    plan.push_back(ThreadLives::kNone);
    if (!is_seen(life, scale, until_ns) || !has_rows) continue;
    const std::uint32_t first = scale.column_of(life.began_ns);
    plan.back() = groups[lives.group_of(life)].take(first, end_of(life, scale, until_ns), lanes);
    lanes = std::max(lanes, plan.back() + 1);
  }
  return plan;
}

std::vector<Lanes::Lane> Lanes::lanes(const LanePlan& plan) const {
  std::vector<Lane> lanes;
  for (std::size_t i = 0; i < std::min(plan.size(), lives_->all().size()); ++i) {
    if (plan[i] == ThreadLives::kNone) continue;
    if (plan[i] >= lanes.size()) lanes.resize(plan[i] + 1);
    if (is_seen(lives_->all()[i], *scale_, view_->until_ns)) lanes[plan[i]].push_back(i);
  }
  return lanes;
}

std::string Lanes::name_of(const Lane& lane) const {
  std::vector<std::string> names;
  for (const std::size_t i : lane) names.push_back(lives_->name_of(lives_->all()[i]));
  return common_name(names);
}

void Lanes::add_bands(const ThreadLives::Life& life, Track* track) const {
  track->lost.add(view_->losses.lost(life.streams));
  track->stopped.add(view_->losses.stopped(life.part));
  track->uncertain.add(lives_->uncertain_of(life, view_->zoom, view_->until_ns));
}

Track Lanes::threads_of(const Lane& lane, const Wanted& wanted) const {
  Track track;
  track.kind = TrackKind::kThread;
  track.shares.resize(1);
  Lane of;
  for (const std::size_t i : lane) {
    const ThreadLives::Life& life = lives_->all()[i];
    const std::string name = lives_->name_of(life);
    if (!wanted(TrackKind::kThread, name)) continue;
    of.push_back(i);
    track.part = life.part;
    track.group = lives_->group_of(life);
    life.course.show(view_->zoom, view_->until_ns, &track.shares[0]);
    track.labels.push_back({scale_->column_of(life.began_ns), end_of(life, *scale_, view_->until_ns), name});
    add_bands(life, &track);
  }
  track.name = name_of(of);
  return track;
}

std::vector<Track> Lanes::spans_of(const Lane& lane, const Wanted& wanted) const {
  std::vector<Track> tracks;
  for (const std::size_t i : lane) {
    const ThreadLives::Life& life = lives_->all()[i];
    const std::vector<SpanRows::Depth>& depths = spans_->of_life(i);
    if (depths.empty() || !wanted(TrackKind::kSpan, lives_->name_of(life))) continue;
    for (std::size_t depth = 0; depth < depths.size(); ++depth) {
      if (depth == tracks.size()) {
        Track& track = tracks.emplace_back();
        track.kind = TrackKind::kSpan;
        track.shares.resize(1);
        track.name = depth == 0 ? name_of(lane) : "";
        track.key = "/" + std::to_string(depth);
        track.part = life.part;
        track.group = lives_->group_of(life);
      }
      depths[depth].course.show(view_->zoom, view_->until_ns, &tracks[depth].shares[0]);
      spans_->show_labels(depths[depth], view_->zoom, &tracks[depth].labels);
      add_bands(life, &tracks[depth]);
    }
  }
  std::erase_if(tracks, [&](const Track& track) { return track.shares[0].is_empty() && view_->drops(track); });
  return tracks;
}

Track Lanes::samples_of(const Lane& lane, const Wanted& wanted) const {
  Track track;
  track.kind = TrackKind::kSamples;
  for (const std::size_t i : lane) {
    const ThreadLives::Life& life = lives_->all()[i];
    const ColumnCounts* const counts = samples_->of_life(i);
    if (counts == nullptr || !wanted(TrackKind::kSamples, lives_->name_of(life))) continue;
    const std::vector<std::uint64_t> seen = counts->seen(view_->zoom);
    track.counts.resize(seen.size());
    std::ranges::transform(seen, track.counts, track.counts.begin(), std::plus());
    track.part = life.part;
    track.group = lives_->group_of(life);
  }
  return track;
}

bool Lanes::shows(const Lane& lane, const std::string& number) const {
  if (view_->shows("thread/" + number) || view_->shows("samples/" + number)) return true;
  std::size_t depths = 0;
  for (const std::size_t i : lane) depths = std::max(depths, spans_->of_life(i).size());
  while (depths > 0 && !view_->shows("span/" + number + "/" + std::to_string(depths - 1))) --depths;
  return depths > 0;
}

std::vector<Track> Lanes::tracks_of(const Lane& lane, const std::string& number, const Wanted& wanted) const {
  std::vector<Track> tracks;
  Track threads = threads_of(lane, wanted);
  threads.key = "thread/" + number;
  std::vector<Track> spans = spans_of(lane, wanted);
  Track samples = samples_of(lane, wanted);
  samples.key = "samples/" + number;
  const bool is_sampled = std::ranges::any_of(lane, [this](std::size_t i) { return samples_->of_life(i) != nullptr; });
  const bool has_states = (spans.empty() && !is_sampled) || is_of_known_states(threads) || !view_->drops(threads);
  const bool is_drawn = !threads.labels.empty() && has_states;
  if (!is_drawn && spans.empty()) samples.name = name_of(lane);
  if (is_drawn) tracks.push_back(std::move(threads));
  if (!samples.counts.empty() && is_drawn) tracks.push_back(std::move(samples));
  for (Track& span : spans) {
    if (is_drawn) span.name.clear();
    span.key = "span/" + number + span.key;
    tracks.push_back(std::move(span));
  }
  if (!samples.counts.empty() && !is_drawn) tracks.push_back(std::move(samples));
  return tracks;
}

std::vector<Track> Lanes::tracks(const LanePlan& plan, const Wanted& wanted) const {
  struct Made {
    std::uint64_t ran_ns = 0;
    std::vector<Track> tracks;
  };
  std::vector<Made> made;
  const std::vector<Lane> all = lanes(plan);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string number = std::to_string(i);
    if (!shows(all[i], number)) continue;
    std::vector<Track> tracks = tracks_of(all[i], number, wanted);
    if (tracks.empty()) continue;
    const bool is_ordered = lives_->groups().is_process(tracks.front().group);
    made.push_back({is_ordered ? running_in(tracks.front()) : 0, std::move(tracks)});
  }
  std::stable_sort(made.begin(), made.end(), [](const Made& a, const Made& b) { return a.ran_ns > b.ran_ns; });
  std::vector<Track> tracks;
  for (Made& lane : made) std::move(lane.tracks.begin(), lane.tracks.end(), std::back_inserter(tracks));
  return tracks;
}

}  // namespace evt::view
