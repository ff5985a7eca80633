// How much of their time threads lost as their process was stopped (role stopped).
#pragma once

#include <evt/timeline.h>

#include <cstdint>
#include <vector>

namespace evt {

// A thread loses the time in which it would have gone on: not that in which it waits, or is in a call that sleeps.
// Takes the items of one session in order. Refers to the timeline.
class StoppedTime {
 public:
  explicit StoppedTime(Timeline& timeline);

  void take(const TimelineItem& item);
  // From now on; whether its innermost call sleeps.
  void set_sleeping(std::uint32_t thread, bool is_sleeping, std::int64_t ns);
  // Whether a call is for the resource `sleep`, by the item that begins it.
  bool sleeps(const TimelineItem& call);
  // Whether processes of this part, as items have it, are stopped at the moment.
  bool is_stopped(std::uint32_t part) const { return stopped_[part + std::uint32_t{1}]; }

  // Of a thread, until this moment, which is not before the latest item of it.
  std::uint64_t ns(std::uint32_t thread, std::int64_t until_ns) const;

 private:
  struct Thread {
    bool is_stopped = false;
    bool waits = false;
    bool is_sleeping = false;
    std::int64_t since_ns = 0;  // `lost_ns` has what was until then
    std::uint64_t lost_ns = 0;
  };

  void settle(Thread* thread, std::int64_t ns) const;
  void stop(const TimelineItem& item);

  Timeline* timeline_;
  std::uint32_t sleep_;  // of Timeline::names()
  std::vector<Thread> threads_;
  std::vector<bool> stopped_;  // by part; the first of those that are of none
};

}  // namespace evt
