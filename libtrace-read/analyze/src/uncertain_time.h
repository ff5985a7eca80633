// How long it is uncertain what threads did.
#pragma once

#include <evt/timeline.h>

#include <cstdint>
#include <vector>

#include "archive.h"
#include "parts.h"
#include "timeline/timeline_items.h"

namespace evt {

// A thread is uncertain from a loss after which its state may have changed unseen, until an event shows its state
// again: if no event records a thread's runs, spans and calls show its state. Takes the items of one session in order.
class UncertainTime {
 public:
  void take(const TimelineItem& item) {
    if (item.kind == ItemKind::kUncertain) {
      doubt(item);
    } else if (uncertain_ > 0) {
      look_for_end(item);
    }
  }
  // Counts only from this moment on.
  void restart(std::int64_t ns);
  // Total of all threads, until this moment, which is not before the latest item.
  std::uint64_t ns(std::int64_t until_ns) const;

  // For so many threads, without the counts.
  void archive(Archive& archive, std::size_t threads);
  // Appends items that tell another which threads are uncertain.
  void begin(TimelineItem at, TimelineItems* items) const;

 private:
  static constexpr std::int64_t kCertain = INT64_MAX;

  struct Thread {
    std::int64_t since_ns = kCertain;
    bool has_state = false;  // events record it
  };

  void doubt(const TimelineItem& item);
  void look_for_end(const TimelineItem& item);
  void settle(std::uint32_t thread, std::int64_t ns);

  std::int64_t from_ns_ = INT64_MIN;
  std::uint64_t ns_ = 0;
  std::size_t uncertain_ = 0;  // threads
  std::vector<Thread> threads_;
};

}  // namespace evt
