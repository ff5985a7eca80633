// Cost of garbage collection: pauses, the time of collectors and of the program's own threads, and sparks.
#pragma once

#include <evt/analysis/histogram.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <map>
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

  explicit Collections(const Session& session);

  // The items that it needs of a session; rows of threadRun and threadStop for the time of the program's own threads,
  // and of gcRequest to gcConcurrentEnd for everything but collections.
  static ItemKinds items();
  void take(const TimelineItem& item);
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
  bool has_threads() const;  // events recorded runs; else mutator_ns has no meaning
  bool has_sparks() const;
  Doubts doubts() const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
