#include "counter_rows.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

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
  hold(&counter, item.ns);
  counter.value = item.event->role == Role::kCounterDelta ? counter.value + *number : *number;
  counter.is_known = true;
  // A value that is replaced at once is one that there was.
  if (!scale_->has(item.ns)) return;
  ValueColumn& column = counter.columns[scale_->column_of(item.ns)];
  column.min = std::min(column.min, counter.value);
  column.max = std::max(column.max, counter.value);
}

// It had its value until now.
void CounterRows::hold(Counter* counter, std::int64_t ns) const {
  if (counter->columns.empty()) counter->columns.resize(scale_->columns());
  std::int64_t from_ns = std::max(std::exchange(counter->since_ns, ns), scale_->from_ns());
  const std::int64_t to_ns = std::min(ns, scale_->to_ns());
  if (!counter->is_known) return;
  for (std::uint32_t i = scale_->column_of(from_ns); from_ns < to_ns; ++i) {
    const std::int64_t end_ns = std::min(to_ns, scale_->edge(i + 1));
    ValueColumn& column = counter->columns[i];
    const auto length = static_cast<double>(end_ns - from_ns);
    column.min = std::min(column.min, counter->value);
    column.max = std::max(column.max, counter->value);
    column.value_ns += counter->value * length;
    column.ns += length;
    from_ns = end_ns;
  }
}

void CounterRows::finish(std::int64_t ns) {
  for (auto& [which, counter] : counters_) hold(&counter, ns);
}

// With the stream's name where several have such a counter.
std::vector<Track> CounterRows::tracks(const Losses& losses) const {
  std::map<std::string, std::set<std::uint32_t>> streams;
  for (const auto& [which, counter] : counters_) streams[which.name].insert(which.stream);
  std::vector<Track> tracks;
  for (const auto& [which, counter] : counters_) {
    if (std::all_of(counter.columns.begin(), counter.columns.end(), [](const auto& c) { return c.is_empty(); }))
      continue;
    Track& track = tracks.emplace_back();
    track.kind = TrackKind::kCounter;
    track.key = "counter/" + std::to_string(which.stream) + "/" + which.name;
    track.name = which.name;
    if (streams[which.name].size() > 1) track.name += ", " + session_->streams[which.stream].name;
    track.values = counter.columns;
    track.lost = losses.lost({which.stream});
  }
  return tracks;
}

}  // namespace evt::view
