// The least, mean and greatest values of counters in a stretch of time, and their rates.
#pragma once

#include <evt/analysis/counters.h>
#include <evt/opaque.h>
#include <evt/timeline.h>

#include <cstdint>
#include <optional>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the items of one session in order. A counter has its latest value until it has another; before the first it
// has none. Memory grows with the counters.
class CounterValues {
 public:
  struct Row {
    const StreamInfo* stream = nullptr;
    std::string name;
    std::string unit;          // as Counters::Counter has it
    std::uint64_t events = 0;  // that gave it a value
    double least = 0;
    double most = 0;
    double mean = 0;  // each value counts for as long as it was
    double last = 0;
    // How much a total grew (roles counterTotal, counterDelta), and in how long: since its first value in the range, or
    // the range's begin.
    std::optional<double> growth{};
    std::uint64_t grew_ns = 0;
    std::uint64_t resets = 0;  // how often a total (counterTotal) fell: it counted from 0 again, and so does its growth
  };

  // Both must outlive it and its copies; the names are those of the items' timeline.
  CounterValues(const Session& session, EventNames& names);

  static ItemKinds items() { return {ItemKind::kRow}; }
  void take(const TimelineItem& item);
  // Counts only from this moment on: what has a value then has it from then on.
  void restart(std::int64_t ns);
  // Until this moment, which is not before the latest item. `all`: also those that no wanted event gave a value. In the
  // order in which they were met.
  std::vector<Row> rows(std::int64_t ns, bool all) const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
