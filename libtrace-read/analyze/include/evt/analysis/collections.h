// What collecting garbage took: pauses, the time of collectors and of the program's own threads, and sparks.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/analysis/histogram.h>

#include <map>
#include <memory>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the events of one session in order. Each stream that collects, runs threads or makes sparks is a capability;
// its collections go from gcStart to gcEnd. Collections of several streams at a time are one, and its pause is that of
// the stream that leads it, as ThreadScope counts them: which records so (gcSync, gcStatistics) before it begins again,
// or else which began first. Times are as recorded.
class Collections {
 public:
  static constexpr std::uint64_t kNoGeneration = UINT64_MAX;

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
    std::uint64_t collector_ns = 0;  // from gcStart to gcEnd
    std::uint64_t mutator_ns = 0;    // a thread runs there, and no collection
    std::uint64_t collections = 0;   // that it took part in
    Sparks sparks;
  };
  struct Doubts {
    std::uint64_t unmatched_ends = 0;  // of collections that had not begun
    std::uint64_t unended = 0;         // that began again, and had not ended
    std::uint64_t lost_in = 0;         // during which events were lost
    std::uint64_t unfinished = 0;      // at the end; not counted as pauses
  };

  explicit Collections(const Session& session);
  ~Collections();

  void take(const RoleEvent& event);
  // Counts from this moment on alone. A collection that goes on counts from then.
  void restart(std::int64_t ns);
  // No more events come.
  void finish();

  // At this moment, which is not before the latest event. In order of the streams.
  std::vector<Capability> capabilities(std::int64_t ns) const;
  const Histogram& pauses() const;
  // By generation, kNoGeneration for those of which none was recorded.
  const std::map<std::uint64_t, Histogram>& by_generation() const;
  bool has_threads() const;  // events recorded runs: without, mutator_ns has no meaning
  bool has_sparks() const;
  Doubts doubts() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
