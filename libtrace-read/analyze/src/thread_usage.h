// How one thread spends its time: calls, the cpu, sleep; and how much of it the whole process was stopped.
#pragma once

#include <evt/analysis/usage.h>
#include <evt/open_stack.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evt {

// Time goes to the innermost open call, or else to the thread's use.
class ThreadUsage {
 public:
  static constexpr std::size_t kUses = Usage::kUses;

  // Time of one stop, or of consecutive ones, in a call itself.
  struct InStop {
    std::uint64_t number = 0;     // the stop's
    std::uint64_t ns = 0;         // the thread did not sleep then,
    std::uint64_t asleep_ns = 0;  // or did
    bool counts = true;           // it was not stopped before counting began
  };
  // An open frame, at the same depth as in the Timeline: a call, or a span, which has no time.
  struct Frame {
    bool is_call = false;
    std::uint32_t target = Usage::kNone;  // kNone: not known yet
    std::uint32_t sum = Usage::kNone;     // the sum to which it will be added, if it exists already
    std::int64_t began_ns = 0;
    std::uint64_t amount = 0;
    std::uint64_t limit = 0;      // per second; 0: none
    bool has_own_limit = false;   // it is the object's
    CallFacts facts;              // for a call that its end records, or would
    std::uint64_t spent_ps = 0;   // tracing time on its stream when it began
    std::uint64_t inside_ps = 0;  // tracing time since then, in nested calls
    std::uint64_t ns = 0;         // counted
    std::uint64_t before_ns = 0;  // counted before counting began
    std::vector<InStop> stops;
    // It has named no object, resource or amount so far: the use that its time counts as otherwise.
    bool names_nothing = false;
    bool was_assumed = false;
    Usage::Times times;
  };
  using Times = Usage::Times;

  Use use() const { return use_; }
  bool exists() const { return use_ != Use::kAbsent; }
  OpenStack<Frame>& frames() { return frames_; }
  const OpenStack<Frame>& frames() const { return frames_; }

  // From now on, which is not before the latest moment. `is_wanted`: its time outside of calls counts.
  void become(Use use, bool is_wanted, std::int64_t ns);
  // Assumes that it runs, until more is known.
  void assume_that_it_runs(bool is_wanted, std::int64_t ns);
  // From now on a collector works on it, which gets the time, until the next call or become().
  void collect(bool is_collecting, std::int64_t ns);
  // Returns the new frame, valid until the next call.
  Frame& begin(bool is_call, std::int64_t ns);
  // Returns the frame that ended, valid until the next begin().
  Frame& end(std::size_t depth, std::int64_t ns);
  // The time of a frame that ended counts as the thread's own, too.
  void take_back(const Frame& frame);
  // The whole process is stopped from now on, by this stop; 0: it is not.
  void stop(std::uint64_t number, std::int64_t ns);
  // Counts only from then on.
  void restart(std::int64_t ns);
  // Until then.
  Times times(std::int64_t ns) const;
  // True if some of the time until then counts because it was assumed to run.
  bool was_assumed_to_run(std::int64_t ns) const;

 private:
  // Assigns a stretch of time.
  void count(std::uint64_t ns, Times* times) const;
  void settle(std::int64_t ns);
  Frame* innermost_call();

  Use use_ = Use::kAbsent;
  bool is_wanted_ = true;
  bool is_assumed_ = false;
  bool was_assumed_ = false;
  bool is_collecting_ = false;
  std::int64_t since_ns_ = 0;  // start of its present state; counted until then
  std::uint64_t stop_ = 0;
  Times times_;
  OpenStack<Frame> frames_;
  std::size_t calls_ = 0;  // among the frames
};

}  // namespace evt
