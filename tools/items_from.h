// The items of a timeline from a moment on: what goes on then begins there.
#pragma once

#include <evt/timeline.h>

#include <functional>
#include <map>
#include <vector>

namespace evt::tools {

// Of one session; the timeline must outlive it.
class ItemsFrom {
 public:
  using Take = std::function<void(const TimelineItem&)>;

  // INT64_MIN: from the first on.
  explicit ItemsFrom(std::int64_t from_ns) : from_ns_(from_ns), has_begun_(from_ns == INT64_MIN) {}

  // Items in order. `then` has those that are to be seen: of what was before, rows, which are not is_wanted, and once
  // the moment is reached the threads, their states, and what is open, as if it began then.
  void take(const TimelineItem& item, const Take& then);
  // There are no more.
  void finish(const Take& then);

 private:
  // An item without what it refers to, which may be gone.
  TimelineItem kept(const TimelineItem& item) const;
  void remember(const TimelineItem& item);
  void begin(const Take& then);

  struct Thread {
    TimelineItem exists;
    TimelineItem state;
    bool has_state = false;
  };

  std::int64_t from_ns_;
  bool has_begun_;
  std::map<std::uint32_t, Thread> threads_;
  std::map<std::uint32_t, std::vector<TimelineItem>> open_;  // spans and calls by thread, the outermost first
  std::map<const StreamInfo*, TimelineItem> collecting_;
  std::map<std::uint32_t, TimelineItem> stopped_;  // by part
};

}  // namespace evt::tools
