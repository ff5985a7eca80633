// Cost of garbage collection: pauses, the time of collectors and of the program's own threads, and sparks.
#pragma once

#include <evt/analysis/histogram.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

class Archive;

// Takes the items of one session in order. Each stream that collects, runs threads or makes sparks is a capability.
// Times are as recorded.
class Collections {
 public:
  static constexpr std::uint64_t kNoGeneration = Timeline::kNoGeneration;

  struct Sparks {
    std::uint64_t created = 0;
    std::uint64_t dud = 0;
    std::uint64_t overflowed = 0;
    std::uint64_t converted = 0;
    std::uint64_t collected = 0;
    std::uint64_t fizzled = 0;

    std::uint64_t all() const { return created + dud + overflowed + converted + collected + fizzled; }
  };
  struct Capability {
    const StreamInfo* stream = nullptr;
    std::uint64_t collector_ns = 0;  // from gcStart to gcEnd: the sum of the next three
    std::uint64_t work_ns = 0;
    std::uint64_t idle_ns = 0;      // from gcIdle on
    std::uint64_t sync_ns = 0;      // from gcDone on, if others take part: it waits for them
    std::uint64_t mutator_ns = 0;   // a thread runs there, and no collection
    std::uint64_t collections = 0;  // in which it took part
    Sparks sparks;
  };
  struct Doubts {
    std::uint64_t unmatched_ends = 0;  // ends of collections that had not begun
    std::uint64_t unended = 0;         // that began again before they ended
    std::uint64_t lost_in = 0;         // during which events were lost
    std::uint64_t unfinished = 0;      // at the end; not counted as pauses
  };

  // A pause, within the range that is counted.
  struct Pause {
    const StreamInfo* stream = nullptr;  // that led it
    std::int64_t began_ns = 0;
    std::int64_t ended_ns = 0;
    std::uint64_t generation = kNoGeneration;
    std::uint32_t reason = EventNames::kNone;
  };
  // The lengths of time of utilization(): 1, 2, 5, 10 ... 1000 ms.
  static const std::vector<std::int64_t>& windows();

  explicit Collections(const Session& session);
  // Keeps this many pauses, the longest.
  void keep_longest(std::size_t count);

  // The items that it needs of a session; rows of threadRun and threadStop for the time of the program's own threads,
  // and of gcRequest to gcConcurrentEnd for everything but collections.
  static ItemKinds items();
  void take(const TimelineItem& item);
  // The range begins at this moment, the first event's.
  void begin(std::int64_t ns);
  // Counts only from this moment on. A collection in progress counts from then.
  void restart(std::int64_t ns);
  // Without the counts. Can be read only for the same session.
  void archive(Archive& archive);
  // At this moment, which is not before the latest item. In order of the streams.
  std::vector<Capability> capabilities(std::int64_t ns) const;
  const Histogram& pauses() const;
  // Time during which any of them was in progress.
  std::uint64_t paused_ns() const;
  // Besides that, until this moment: threads stopped for a collection (from gcRequest to its leader's gcStart), or were
  // stopped by a concurrent collector (from gcPauseBegin to gcPauseEnd).
  std::uint64_t stopping_ns(std::int64_t ns) const;
  // A collector worked concurrently with the program's own threads, until this moment.
  std::uint64_t concurrent_ns(std::int64_t ns) const;
  // By generation, kNoGeneration if none was recorded.
  const std::map<std::uint64_t, Histogram>& by_generation() const;
  // By reason, an index in Timeline::names(); EventNames::kNone if none was recorded.
  const std::map<std::uint32_t, Histogram>& by_reason() const;
  // For each of windows(), what the program's threads have at least of any such stretch of the range, which ends here,
  // beside the time of paused_ns() and stopping_ns(): ns; nothing where the range is shorter, or where more than a
  // million stops are within a second. (Cheng and Blelloch, PLDI 2001.)
  std::vector<std::optional<std::uint64_t>> utilization(std::int64_t ns) const;
  // The longest pauses, of those that are equal the earliest.
  std::vector<Pause> longest() const;
  bool has_threads() const;  // events recorded runs; else mutator_ns has no meaning
  bool has_sparks() const;
  Doubts doubts() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
