// What events behind a moment show of the runs that go on then: that what recorded their ends may be lost since before.
#pragma once

#include <map>

#include "libtrace-read/analyze/src/timeline/thread_states.h"

namespace evt {

// Takes the events of one session in order, from before the moment on. A loss is since the event before on its stream:
// so it reaches back across the moment if it is the first that the stream has behind it.
class DoubtedRuns {
 public:
  using Since = std::map<std::uint32_t, std::int64_t>;  // by thread: from when on its run is uncertain

  // The moment is included in what was before.
  DoubtedRuns(ThreadStates& threads, std::int64_t ns) : threads_(threads), ns_(ns) {}

  // False: no further event is needed.
  bool take(const RoleEvent& event);
  const Since& since() const { return since_; }

 private:
  void begin();
  void note(const TimelineItem& item);

  ThreadStates& threads_;
  std::int64_t ns_;
  bool has_begun_ = false;
  std::map<std::uint32_t, std::uint32_t> open_;  // threads that run since before: the stream that recorded it
  TimelineItems items_;
  Since since_;
};

}  // namespace evt
