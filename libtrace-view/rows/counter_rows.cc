#include "counter_rows.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "actor_names.h"

namespace evt::view {

void CounterRows::take_event(const TimelineItem& item) {
  const std::uint32_t which = counters_.take(item);
  if (which == Counters::kNone) return;
  const double value = counters_.all()[which].value;
  if (which < courses_.size()) {
    courses_[which].runs.hold(*scale_, courses_[which].value, courses_[which].since_ns, item.ns);
  } else {
    courses_.emplace_back();
  }
  Course& course = courses_[which];
  course.value = value;
  course.since_ns = item.ns;
  // A value that is replaced at once is one that there was.
  if (scale_->has(item.ns)) course.runs.meet(*scale_, value, item.ns);
}

void CounterRows::go_on_from(const CounterRows& other) {
  counters_.go_on_from(other.counters_);
  for (const Course& course : other.courses_) courses_.push_back({course.value, course.since_ns, {}});
}

void CounterRows::coarsen() {
  for (Course& course : courses_) course.runs.coarsen();
}

// A run of values has the size of three runs of states.
std::size_t CounterRows::size() const {
  std::size_t size = 0;
  for (const Course& course : courses_) size += 3 * course.runs.size();
  return size;
}

// By the places of streams, and names.
std::vector<std::uint32_t> CounterRows::in_order() const {
  std::vector<std::uint32_t> order(counters_.all().size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Counters::Counter& left = counters_.all()[a];
    const Counters::Counter& right = counters_.all()[b];
    return std::tie(left.stream, left.name) < std::tie(right.stream, right.name);
  });
  return order;
}

// With the stream's name where several have such a counter.
std::vector<Track> CounterRows::tracks(const TrackView& view) const {
  std::map<std::string, std::set<const StreamInfo*>> streams;
  for (const Counters::Counter& counter : counters_.all()) streams[counter.name].insert(counter.stream);
  std::vector<Track> tracks;
  for (const std::uint32_t which : in_order()) {
    const Counters::Counter& counter = counters_.all()[which];
    const Course& course = courses_[which];
    const auto stream = static_cast<std::uint32_t>(counter.stream - session_->streams.data());
    const std::string key = "counter/" + std::to_string(stream) + "/" + counter.name;
    if (!view.shows(key)) continue;
    std::vector<ValueColumn> values(view.zoom.as().columns());
    course.runs.show(view.zoom, &values);
    ValueRuns latest;
    latest.hold(view.zoom.as(), course.value, course.since_ns, view.until_ns);
    latest.show(Zoom(view.zoom.as(), view.zoom.as()), &values);
    Track track;
    track.lost = view.losses.lost({stream});
    const bool is_empty = std::all_of(values.begin(), values.end(), [](const auto& c) { return c.is_empty(); });
    if (is_empty && view.drops(track)) continue;
    track.kind = TrackKind::kCounter;
    track.key = key;
    track.name = counter.name;
    track.unit = counter.unit;
    track.part = part_of(*session_, *counter.stream);
    if (streams[counter.name].size() > 1) track.name += ", " + counter.stream->name;
    track.values = std::move(values);
    tracks.push_back(std::move(track));
  }
  return tracks;
}

}  // namespace evt::view
