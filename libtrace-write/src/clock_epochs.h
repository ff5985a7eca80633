// Which clock a session's rows are on. A counter that steps begins an epoch: a clock of its own (FORMAT.md, section 9).
#pragma once

#include "clock.h"
#include "slot.h"

namespace evt {

// Of the thread that writes the trace, but for what is named otherwise.
class ClockEpochs {
 public:
  explicit ClockEpochs(const Clock& clock) : clock_(clock) {}

  // Clock 1, at the session's start.
  void begin(const ClockReading& start) { last_ = start; }
  // The number of the clock for rows from now on, and where it is: atomic. Any thread, any signal handler.
  std::uint16_t current() const { return __atomic_load_n(&current_, __ATOMIC_ACQUIRE); }
  const std::uint16_t* place() const { return &current_; }

  // Looks at the clock. True when it has stepped: then next_start() is where the next one begins, which is to be
  // declared before start_next(). To look again until then is to find the same step.
  bool has_stepped();
  const ClockReading& next_start() const { return next_; }
  void start_next();

  // Whether a pair of readings goes on from the last good one: else it is an outlier, or the clock has stepped.
  bool goes_on(const ClockReading& reading) const;
  void note(const ClockReading& good);

  // No row of this clock can have a later time that was recorded before `margin_ms` from now; 0: not known, as rows of
  // the caller's own clock may come in any order.
  std::uint64_t bound(std::uint16_t clock_id, std::uint64_t margin_ms) const;

  // The slot was begun before the latest step.
  bool is_past(const SlotState& slot) const { return slot.clock_id() != current(); }
  // Up to where the rows of such a slot are on its clock: `commit`, if no row there is known to be from behind the
  // step.
  std::uint64_t end_of_past(const SlotState& slot, std::uint64_t commit) const;

 private:
  std::uint64_t ticks_at(std::int64_t ns) const;

  const Clock& clock_;
  std::uint16_t current_ = 1;
  ClockReading last_;  // good
  ClockReading next_;  // behind a step
  // Between the last look before the latest step and the first one behind it, the clock before went up to `past_to_`,
  // the clock behind it began at `since_` at the earliest. Where these ranges overlap, rows cannot be separated.
  std::uint64_t past_to_ = 0;
  std::uint64_t since_ = 0;
  bool separable_ = false;
  bool went_back_ = false;
};

}  // namespace evt
