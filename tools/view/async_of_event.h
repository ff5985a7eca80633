// The asynchronous span that an event begins or ends.
#pragma once

#include <evt/timeline.h>

#include <cstdint>
#include <optional>
#include <string>

namespace evt::tools {

// Takes the items of one session in order: up to an event of which it is asked, and on to the end of the span. Refers
// to the timeline.
class AsyncOfEvent {
 public:
  struct Found {
    std::string name;
    std::uint64_t id = 0;
    std::string stream;  // on which it began
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
    bool is_open = false;  // no event ends it
  };

  explicit AsyncOfEvent(Timeline& timeline) : timeline_(&timeline) {}

  void take(const TimelineItem& item);
  // The next item that is taken is that of the event itself.
  void expect_event() { is_expected_ = true; }
  // Whether further items change nothing.
  bool is_done() const { return !is_expected_ && !is_at_event_ && !begun_; }
  // Nothing if the event neither begins nor ends one. REQUIRES: is_done(), or all items were taken.
  const std::optional<Found>& found() const { return found_; }

 private:
  Timeline* timeline_;
  bool is_expected_ = false;
  bool is_at_event_ = false;           // its further items follow
  std::optional<TimelineItem> begun_;  // by the event; it is open
  std::optional<Found> found_;
};

}  // namespace evt::tools
