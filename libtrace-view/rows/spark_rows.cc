#include "spark_rows.h"

#include <optional>

#include "actor_names.h"

namespace evt::view {
namespace {

std::optional<SparkClass> class_of(Role role) {
  switch (role) {
    case Role::kSparkCreate:
      return SparkClass::kCreated;
    case Role::kSparkRun:
    case Role::kSparkSteal:
      return SparkClass::kConverted;
    case Role::kSparkOverflow:
      return SparkClass::kOverflowed;
    case Role::kSparkDud:
      return SparkClass::kDud;
    case Role::kSparkFizzle:
      return SparkClass::kFizzled;
    case Role::kSparkCollect:
      return SparkClass::kCollected;
    default:
      return std::nullopt;
  }
}

// The fields of role sparkCounters, by SparkClass.
constexpr const char* kFields[kSparkClasses] = {"created", "converted", "overflowed", "dud", "fizzled", "collected"};

}  // namespace

void SparkRows::take_spark(const TimelineItem& item) {
  OfStream& stream = streams_[static_cast<std::uint32_t>(item.stream - session_->streams.data())];
  if (item.event->role == Role::kSparkCounters) return take_counters(*item.event->event, &stream, item.ns);
  const std::optional<SparkClass> spark_class = class_of(item.event->role);
  if (spark_class && !stream.has_counters) add(&stream, static_cast<std::size_t>(*spark_class), 1, item.ns);
}

void SparkRows::take_counters(const Event& event, OfStream* stream, std::int64_t ns) {
  stream->has_counters = true;
  for (std::size_t i = 0; i < kSparkClasses; ++i) {
    const std::optional<Value> value = event.value(kFields[i]);
    if (!value || value->is_sequence() || value->kind() != Kind::kUnsigned) continue;
    const std::uint64_t count = value->as_unsigned();
    if (count > stream->so_far[i]) add(stream, i, count - stream->so_far[i], ns);
  }
}

void SparkRows::add(OfStream* stream, std::size_t spark_class, std::uint64_t count, std::int64_t ns) {
  stream->so_far[spark_class] += count;
  if (scale_->has(ns)) stream->columns[spark_class].add(*scale_, ns, count);
}

void SparkRows::go_on_from(const SparkRows& other) {
  for (const auto& [place, stream] : other.streams_) streams_[place] = {{stream}, {}};
}

void SparkRows::coarsen() {
  for (auto& [place, stream] : streams_) {
    for (ColumnCounts& columns : stream.columns) columns.coarsen();
  }
}

std::size_t SparkRows::size() const {
  std::size_t size = 0;
  for (const auto& [place, stream] : streams_) {
    for (const ColumnCounts& columns : stream.columns) size += columns.size();
  }
  return size;
}

std::vector<Track> SparkRows::tracks(const TrackView& view) const {
  std::vector<Track> tracks;
  for (const auto& [place, stream] : streams_) {
    // GHC records counters that are 0 where a program has no sparks.
    if (stream.so_far == std::array<std::uint64_t, kSparkClasses>{}) continue;
    const std::string key = "sparks/" + std::to_string(place);
    if (!view.shows(key)) continue;
    Track& track = tracks.emplace_back();
    const StreamInfo& info = session_->streams[place];
    track.kind = TrackKind::kSparks;
    track.key = key;
    track.name = info.name.empty() ? "stream " + std::to_string(info.id) : info.name;
    track.part = part_of(*session_, info);
    for (const ColumnCounts& columns : stream.columns) track.classes.push_back(columns.seen(view.zoom));
    track.lost = view.losses.lost({place});
  }
  return tracks;
}

}  // namespace evt::view
