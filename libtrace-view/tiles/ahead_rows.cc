#include "ahead_rows.h"

#include <algorithm>
#include <map>
#include <utility>

namespace evt::view {
namespace {

constexpr const char* kCpusKey = "cpus";
constexpr std::string_view kCpuKey = "cpu/";

SessionStart start_of(StateHistory& history, std::size_t session, const Scale& scale) {
  Timeline::Options options;
  const TimeRange range = {scale.from_ns(), scale.to_ns()};
  options.range = [range](const Session&) { return range; };
  return history.start(session, options);
}

// The index of each.
std::map<RunEnds::key_type, std::uint32_t> by_number(const ActorList& actors) {
  std::map<RunEnds::key_type, std::uint32_t> places;
  for (std::uint32_t i = 0; i < actors.size(); ++i) places.emplace(run_key(actors[i]), i);
  return places;
}

// The latest one of a thread.
std::size_t life_of(const ThreadLives& lives, std::uint32_t thread) {
  RoleEvent about;
  about.thread = thread;
  return lives.life_at(about);
}

}  // namespace

AheadRows::AheadRows(StateHistory& history, std::size_t session, const Scale& scale, FineRows::Limits limits)
    : rows_(start_of(history, session, scale), scale.from_ns(), scale, limits) {}

LanePlan AheadRows::lanes_in(FineRows& whole, const LanePlan& lanes) {
  const ThreadLives& here = rows_.rows().lives();
  const ThreadLives& there = whole.rows().lives();
  const ActorList threads = rows_.timeline().actors().threads();
  const auto known = by_number(whole.timeline().actors().threads());
  LanePlan plan(here.all().size(), ThreadLives::kNone);
  for (std::uint32_t thread = 0; thread < threads.size(); ++thread) {
    const auto place = known.find(run_key(threads[thread]));
    const std::size_t life = life_of(here, thread);
    if (place == known.end() || life >= plan.size()) continue;
    const std::size_t same = life_of(there, place->second);
    const bool goes_on = same < there.all().size() && there.all()[same].ended_ns == INT64_MAX;
    if (goes_on && same < lanes.size()) plan[life] = lanes[same];
  }
  return plan;
}

std::vector<std::string> AheadRows::cpu_keys_in(FineRows& whole) {
  const ActorList cpus = rows_.timeline().actors().cpus();
  const auto known = by_number(whole.timeline().actors().cpus());
  std::vector<std::string> keys(cpus.size());
  for (std::uint32_t i = 0; i < cpus.size(); ++i) {
    const auto place = known.find(run_key(cpus[i]));
    if (place != known.end()) keys[i] = std::string(kCpuKey) + std::to_string(place->second);
  }
  return keys;
}

// The sum is of as many cpus as the session has, though some do nothing here.
std::vector<Track> AheadRows::tracks(FineRows& whole, const Layout& layout, const Scale& as, std::int64_t until_ns,
                                     const ShownKeys& keys) {
  const std::vector<std::string> cpu_keys = cpu_keys_in(whole);
  const auto key_in_whole = [&](const std::string& key) {
    return key.starts_with(kCpuKey) ? cpu_keys[std::stoul(key.substr(kCpuKey.size()))] : key;
  };
  const bool has_sum = keys(kCpusKey);
  const auto is_shown = [&](const std::string& key) {
    return (has_sum && key.starts_with(kCpuKey)) || keys(key_in_whole(key));
  };
  const auto is_any = [](TrackKind, const std::string&) { return true; };
  std::vector<Track> tracks =
      rows_.rows().tracks(is_any, lanes_in(whole, layout.lanes), layout.objects, as, until_ns, is_shown);
  for (Track& track : tracks) track.key = key_in_whole(track.key);
  const auto is_one = [](const Track& track) { return track.kind == TrackKind::kCpu; };
  if (has_sum && std::count_if(tracks.begin(), tracks.end(), is_one) == 1) {
    tracks.push_back(*std::find_if(tracks.begin(), tracks.end(), is_one));
    tracks.back().kind = TrackKind::kCpus;
    tracks.back().key = kCpusKey;
  }
  for (Track& track : tracks) {
    const LayoutRow* const sum = track.kind == TrackKind::kCpus ? layout.row(std::string(kCpusKey)) : nullptr;
    if (sum != nullptr) track.rows = std::max(track.rows, sum->of);
  }
  std::erase_if(tracks, [&](const Track& track) { return !has(track.kind) || !keys(track.key); });
  return tracks;
}

}  // namespace evt::view
