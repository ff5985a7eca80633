// Earlier facts that analyses ask for and that the state of a timeline does not contain.
#pragma once

#include <evt/open_stack.h>

#include "libtrace-read/analyze/src/archive.h"
#include "libtrace-read/analyze/src/uncertain_time.h"

namespace evt {

// Takes the items of one session in order, of all kinds.
class Past {
 public:
  void take(const TimelineItem& item, EventNames* names);
  // For so many threads and names.
  void archive(Archive& archive, std::size_t threads, std::size_t names);
  // Appends items that tell which threads are uncertain.
  void begin(const TimelineItem& at, TimelineItems* items) const { uncertain_.begin(at, items); }
  // The resource that an open call named, at that depth in the stack of its thread.
  std::uint32_t resource(std::uint32_t thread, std::uint32_t depth) const;

 private:
  UncertainTime uncertain_;
  std::vector<OpenStack<std::uint32_t>> resources_;  // by thread
};

}  // namespace evt
