#include "counter_rows.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "actor_names.h"
#include "unit_text.h"

namespace evt::view {
namespace {

bool is_counter(Role role) {
  return role == Role::kCounter || role == Role::kCounterTotal || role == Role::kCounterDelta;
}

std::optional<double> number_of(const Event& event) {
  const auto value = event.value(Role::kValue);
  if (!value || value->is_sequence()) return std::nullopt;
  const double scale = std::pow(10.0, value->field().scale);
  switch (value->kind()) {
    case Kind::kUnsigned:
      return static_cast<double>(value->as_unsigned()) * scale;
    case Kind::kSigned:
      return static_cast<double>(value->as_signed()) * scale;
    case Kind::kFloat: {
      const double number = value->as_double();
      return std::isfinite(number) ? std::optional(number) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

void CounterRows::take(const TimelineItem& item) {
  if (item.kind != ItemKind::kRow || !is_counter(item.event->role)) return;
  const auto number = number_of(*item.event->event);
  if (!number) return;
  const auto stream = static_cast<std::uint32_t>(item.stream - session_->streams.data());
  Counter& counter = counters_[{stream, names_->text(names_->of(*item.event->event, Role::kName))}];
  if (!counter.is_known) counter.unit = unit_text(*item.event->event->type().field(Role::kValue));
  if (counter.is_known) counter.runs.hold(*scale_, counter.value, counter.since_ns, item.ns);
  counter.since_ns = item.ns;
  counter.value = item.event->role == Role::kCounterDelta ? counter.value + *number : *number;
  counter.is_known = true;
  // A value that is replaced at once is one that there was.
  if (scale_->has(item.ns)) counter.runs.meet(*scale_, counter.value, item.ns);
}

void CounterRows::go_on_from(const CounterRows& other) {
  for (const auto& [which, counter] : other.counters_) counters_[which] = {{counter}, {}};
}

void CounterRows::coarsen() {
  for (auto& [which, counter] : counters_) counter.runs.coarsen();
}

// A run of values has the size of three runs of states.
std::size_t CounterRows::size() const {
  std::size_t size = 0;
  for (const auto& [which, counter] : counters_) size += 3 * counter.runs.size();
  return size;
}

// With the stream's name where several have such a counter.
std::vector<Track> CounterRows::tracks(const TrackView& view) const {
  std::map<std::string, std::set<std::uint32_t>> streams;
  for (const auto& [which, counter] : counters_) streams[which.name].insert(which.stream);
  std::vector<Track> tracks;
  for (const auto& [which, counter] : counters_) {
    const std::string key = "counter/" + std::to_string(which.stream) + "/" + which.name;
    if (!view.shows(key)) continue;
    std::vector<ValueColumn> values(view.zoom.as().columns());
    counter.runs.show(view.zoom, &values);
    ValueRuns latest;
    latest.hold(view.zoom.as(), counter.value, counter.since_ns, view.until_ns);
    latest.show(Zoom(view.zoom.as(), view.zoom.as()), &values);
    if (std::all_of(values.begin(), values.end(), [](const auto& c) { return c.is_empty(); })) continue;
    Track& track = tracks.emplace_back();
    track.kind = TrackKind::kCounter;
    track.key = key;
    track.name = which.name;
    track.unit = counter.unit;
    track.part = part_of(*session_, session_->streams[which.stream]);
    if (streams[which.name].size() > 1) track.name += ", " + session_->streams[which.stream].name;
    track.values = std::move(values);
    track.lost = view.losses.lost({which.stream});
  }
  return tracks;
}

}  // namespace evt::view
