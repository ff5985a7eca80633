#include "rows.h"

#include <iterator>
#include <utility>

namespace evt::view {
namespace {

// What the cpus do together.
Track sum_of(const std::vector<Track>& cpus) {
  Track sum;
  sum.kind = TrackKind::kCpus;
  sum.key = "cpus";
  sum.name = "all cpus";
  sum.rows = static_cast<std::uint32_t>(cpus.size());
  for (const Track& cpu : cpus) {
    sum.shares.push_back(cpu.shares.front());
    sum.lost.add(cpu.lost);
    sum.stopped.add(cpu.stopped);
  }
  return sum;
}

void move_wanted(std::vector<Track> from, const Rows::Wanted& wanted, std::vector<Track>* to) {
  std::erase_if(from, [&](const Track& track) { return !wanted(track.kind, track.name); });
  to->insert(to->end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Rows::Rows(Timeline& timeline, const Scale& scale)
    : losses_(timeline.actors().session(), scale),
      cpus_(timeline.actors(), scale),
      lives_(timeline.actors(), scale),
      spans_(lives_, timeline.names(), scale),
      counters_(timeline.actors().session(), timeline.names(), scale),
      points_(timeline.actors().session(), timeline.names(), scale),
      scale_(&scale) {}

// Spans end before their threads do.
void Rows::take(const TimelineItem& item) {
  losses_.take(item);
  cpus_.take(item);
  spans_.take(item);
  lives_.take(item);
  counters_.take(item);
  points_.take(item);
}

void Rows::finish(std::int64_t ns) {
  lives_.finish(ns);
  counters_.finish(ns);
}

std::vector<Track> Rows::tracks(const Wanted& wanted, const LanePlan& plan) const {
  std::vector<Track> cpus;
  move_wanted(cpus_.tracks(losses_), wanted, &cpus);
  std::vector<Track> all;
  if (cpus.size() > 1) all.push_back(sum_of(cpus));
  move_wanted(std::move(cpus), wanted, &all);
  move_wanted(
      Lanes(lives_, spans_, losses_, *scale_).tracks(plan, wanted), [](auto, auto&) { return true; }, &all);
  move_wanted(counters_.tracks(losses_), wanted, &all);
  move_wanted(points_.tracks(losses_), wanted, &all);
  return all;
}

}  // namespace evt::view
