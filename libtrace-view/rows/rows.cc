#include "rows.h"

#include <algorithm>
#include <iterator>

namespace evt::view {
namespace {

// Cpus of all, group by group, and what else is of all.
void group(const RowGroups& groups, std::vector<Track>* tracks) {
  const auto place = [&](const Track& track) {
    const bool is_cpu = track.kind == TrackKind::kCpus || track.kind == TrackKind::kCpu;
    return is_cpu && track.group == RowGroups::kNone ? 0 : std::uint64_t{groups.place_of(track.group)} + 1;
  };
  std::stable_sort(tracks->begin(), tracks->end(), [&](const Track& a, const Track& b) { return place(a) < place(b); });
}

void move_wanted(std::vector<Track> from, const Rows::Wanted& wanted, std::vector<Track>* to) {
  std::erase_if(from, [&](const Track& track) { return !wanted(track.kind, track.name); });
  to->insert(to->end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Rows::Rows(Timeline& timeline, const Scale& scale)
    : scale_(scale),
      losses_(timeline.actors().session(), scale_),
      lives_(timeline.actors(), scale_),
      cpus_(timeline.actors(), lives_.groups(), scale_),
      spans_(lives_, timeline.names(), scale_),
      samples_(lives_, scale_),
      asyncs_(timeline.actors().session(), timeline.names(), scale_),
      counters_(timeline.actors().session(), timeline.names(), scale_),
      points_(timeline.actors().session(), timeline.names(), scale_),
      sparks_(timeline.actors().session(), scale_),
      tracer_(timeline.actors().session(), timeline.names(), scale_),
      objects_(timeline, scale_) {}

Rows::Rows(const Rows& other, Timeline& timeline, const Scale& scale) : Rows(timeline, scale) {
  losses_.go_on_from(other.losses_);
  cpus_.go_on_from(other.cpus_);
  lives_.go_on_from(other.lives_);
  spans_.go_on_from(other.spans_);
  asyncs_.go_on_from(other.asyncs_);
  counters_.go_on_from(other.counters_);
  sparks_.go_on_from(other.sparks_);
  tracer_.go_on_from(other.tracer_);
  objects_.go_on_from(other.objects_);
}

// Spans end before their threads do. Spans and objects forget their latest one at each event.
void Rows::take(const TimelineItem& item) {
  spans_.take(item);
  asyncs_.take(item);
  objects_.take(item);
  if (item.kind == ItemKind::kRow) {
    lives_.take(item);
    samples_.take(item);
    counters_.take(item);
    points_.take(item);
    tracer_.take(item);
  } else {
    losses_.take(item);
    cpus_.take(item);
    lives_.take(item);
    sparks_.take(item);
  }
}

void Rows::coarsen() {
  losses_.coarsen();
  cpus_.coarsen();
  lives_.coarsen();
  spans_.coarsen();
  samples_.coarsen();
  asyncs_.coarsen();
  counters_.coarsen();
  points_.coarsen();
  sparks_.coarsen();
  tracer_.coarsen();
  objects_.coarsen();
  scale_ = scale_.coarser();
}

std::size_t Rows::size() const {
  return losses_.size() + cpus_.size() + lives_.size() + spans_.size() + samples_.size() + asyncs_.size() +
         counters_.size() + points_.size() + sparks_.size() + tracer_.size() + objects_.size();
}

std::vector<Track> Rows::tracks(const Wanted& wanted, const LanePlan& plan, const ObjectPlan& objects, const Scale& as,
                                std::int64_t until_ns, const ShownKeys& keys) const {
  const TrackView view(Zoom(scale_, as), until_ns, losses_, keys);
  const auto is_any = [](auto, auto&) { return true; };  // they are wanted by names that not all of them have
  std::vector<Track> all = cpus_.tracks(view, wanted);
  move_wanted(sparks_.tracks(view), wanted, &all);
  move_wanted(Lanes(lives_, spans_, samples_, view).tracks(plan, wanted), is_any, &all);
  move_wanted(asyncs_.tracks(view, wanted), is_any, &all);
  move_wanted(counters_.tracks(view), wanted, &all);
  move_wanted(points_.tracks(view, wanted), is_any, &all);
  move_wanted(tracer_.tracks(view), wanted, &all);
  move_wanted(objects_.tracks(view, objects), wanted, &all);
  const RowGroups& groups = lives_.groups();
  for (Track& track : all) {
    if (track.kind == TrackKind::kTracer) track.group = groups.of_recorder();
    if (track.group == RowGroups::kNone) track.group = groups.of_part(track.part);
  }
  group(groups, &all);
  return all;
}

}  // namespace evt::view
