// Which spans and calls end while others that began inside of them go on. Formats of slices have no place for these
// among the others of their thread, which is to be known when they begin: so the items are looked at once before.
#pragma once

#include <evt/open_stack.h>

#include <optional>
#include <vector>

namespace evt {

class OverlappingSpans {
 public:
  // The first time: items in order.
  void look(const TimelineItem& item);
  // What follows is of the first session again.
  void begin_again();

  // The second time, of each item that begins or ends a span or a call: its number, from 1 on, if it is one of them.
  std::optional<std::uint64_t> number_of(const TimelineItem& item);
  std::size_t size() const { return numbers_.size(); }

 private:
  std::uint64_t take(const TimelineItem& item);

  std::uint64_t count_ = 0;             // how many have begun
  OpenStacks<std::uint64_t> open_;      // their numbers
  std::vector<std::uint64_t> numbers_;  // of those that overlap
};

}  // namespace evt
