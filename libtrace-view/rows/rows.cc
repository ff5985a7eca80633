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
    : scale_(scale),
      losses_(timeline.actors().session(), scale_),
      cpus_(timeline.actors(), scale_),
      lives_(timeline.actors(), scale_),
      spans_(lives_, timeline.names(), scale_),
      counters_(timeline.actors().session(), timeline.names(), scale_),
      points_(timeline.actors().session(), timeline.names(), scale_) {}

// Spans end before their threads do.
void Rows::take(const TimelineItem& item) {
  losses_.take(item);
  cpus_.take(item);
  spans_.take(item);
  lives_.take(item);
  counters_.take(item);
  points_.take(item);
}

void Rows::coarsen() {
  losses_.coarsen();
  cpus_.coarsen();
  lives_.coarsen();
  spans_.coarsen();
  counters_.coarsen();
  points_.coarsen();
  scale_ = scale_.coarser();
}

std::size_t Rows::size() const {
  return losses_.size() + cpus_.size() + lives_.size() + spans_.size() + counters_.size() + points_.size();
}

std::vector<Track> Rows::tracks(const Wanted& wanted, const LanePlan& plan, const Scale& as,
                                std::int64_t until_ns) const {
  const TrackView view(Zoom(scale_, as), until_ns, losses_);
  std::vector<Track> cpus;
  move_wanted(cpus_.tracks(view), wanted, &cpus);
  std::vector<Track> all;
  if (cpus.size() > 1) all.push_back(sum_of(cpus));
  move_wanted(std::move(cpus), wanted, &all);
  move_wanted(
      Lanes(lives_, spans_, view).tracks(plan, wanted), [](auto, auto&) { return true; }, &all);
  move_wanted(counters_.tracks(view), wanted, &all);
  move_wanted(points_.tracks(view), wanted, &all);
  return all;
}

}  // namespace evt::view
