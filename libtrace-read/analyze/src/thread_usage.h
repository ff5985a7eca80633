// What one thread spends its time on: calls, the cpu, sleep; and what of it the whole process was stopped.
#pragma once

#include <evt/analysis/usage.h>
#include <evt/open_stack.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evt {

// Time goes to the innermost call that is open, or else to the thread's use.
class ThreadUsage {
 public:
  static constexpr std::size_t kUses = Usage::kUses;

  // Of one stop, or of those that are one after another, what was in a call itself.
  struct InStop {
    std::uint64_t number = 0;     // of the stop
    std::uint64_t ns = 0;         // the thread did not sleep then,
    std::uint64_t asleep_ns = 0;  // or did
    bool counts = true;           // it was not before counting began
  };
  // What is open, as the Timeline has it, at the same place: a call, or a span, which has no time.
  struct Frame {
    bool is_call = false;
    std::uint32_t target = Usage::kNone;  // kNone: not known yet
    std::uint32_t sum = Usage::kNone;     // to which it will be added, if there is one already
    std::int64_t began_ns = 0;
    std::uint64_t amount = 0;
    std::uint64_t limit = 0;      // per second; 0: none
    CallFacts facts;              // of one that its end records, or would
    std::uint64_t spent_ps = 0;   // by tracing, on its stream, when it began
    std::uint64_t inside_ps = 0;  // of what tracing took since, in calls inside of it
    std::uint64_t ns = 0;         // counted
    std::uint64_t before_ns = 0;  // the same of what was before counting began
    std::vector<InStop> stops;
    // It has named no object, resource or amount so far: what its time would be else.
    bool names_nothing = false;
    bool was_assumed = false;
    Usage::Times times;
  };
  using Times = Usage::Times;

  Use use() const { return use_; }
  bool exists() const { return use_ != Use::kAbsent; }
  OpenStack<Frame>& frames() { return frames_; }
  const OpenStack<Frame>& frames() const { return frames_; }

  // From now on, which is not before the moment passed last. `is_wanted`: what it spends in no call counts.
  void become(Use use, bool is_wanted, std::int64_t ns);
  // The same: that it runs, until more is known.
  void assume_that_it_runs(bool is_wanted, std::int64_t ns);
  // From now on a collector works on it, which has the time, until then or until it becomes something else.
  void collect(bool is_collecting, std::int64_t ns);
  // The new frame, until the next call.
  Frame& begin(bool is_call, std::int64_t ns);
  // The frame that ended, until the next begin().
  Frame& end(std::size_t depth, std::int64_t ns);
  // The time of a frame that ended counts as the thread's own, too.
  void take_back(const Frame& frame);
  // The whole process is stopped from now on, by this stop; 0: it is not.
  void stop(std::uint64_t number, std::int64_t ns);
  // Counts from then on alone.
  void restart(std::int64_t ns);
  // Until then.
  Times times(std::int64_t ns) const;
  // Whether some of the times until then is there because it was assumed that it ran.
  bool was_assumed_to_run(std::int64_t ns) const;

 private:
  // Where a stretch of time goes.
  void count(std::uint64_t ns, Times* times) const;
  void settle(std::int64_t ns);
  Frame* innermost_call();

  Use use_ = Use::kAbsent;
  bool is_wanted_ = true;
  bool is_assumed_ = false;
  bool was_assumed_ = false;
  bool is_collecting_ = false;
  std::int64_t since_ns_ = 0;  // it is as it is, and counted until then
  std::uint64_t stop_ = 0;
  Times times_;
  OpenStack<Frame> frames_;
  std::size_t calls_ = 0;  // of the frames
};

}  // namespace evt
