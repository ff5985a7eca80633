// Bytes on the heap by name, from the samples of GHC's heap profiler.
#pragma once

#include <evt/opaque.h>
#include <evt/timeline.h>

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order: rows of the types ghc.heap_prof_*, and of ghc.ipe, which names info tables.
// A sample holds until the next one; a name that a sample does not have occupies nothing. Memory grows with names, of
// which there are at most 65536 (EventNames) in each of 256 profiles, and with info tables.
class HeapSamples {
 public:
  struct Row {
    std::string by;             // what the profile is by: "cost centre", "closure type"; empty if not recorded
    std::string name;           // a cost centre is MODULE.LABEL, the innermost of its stack
    std::uint64_t samples = 0;  // that have it
    std::uint64_t least = 0;    // bytes
    std::uint64_t most = 0;
    std::uint64_t last = 0;
    double mean = 0;  // each sample counts until the next one
  };

  // Both must outlive it and its copies; the names are those of the items' timeline.
  HeapSamples(const Session& session, EventNames& names);

  void take(const TimelineItem& item);
  // Counts only from this moment on: the latest sample still holds.
  void restart(std::int64_t ns);
  // Until this moment, which is not before the latest item. `all`: also those that no wanted event has.
  std::vector<Row> rows(std::int64_t ns, bool all) const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
