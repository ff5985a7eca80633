// The clock of a session's rows. A counter that steps begins an epoch, which is a clock in the file (FORMAT.md, section
// 9).
#pragma once

#include "clock.h"
#include "slot.h"

namespace evt {

// For the thread that writes the trace, unless stated otherwise.
class ClockEpochs {
 public:
  explicit ClockEpochs(const Clock& clock) : clock_(clock) {}

  // Clock 1, at the session's start.
  void begin(const ClockReading& start) { last_ = start; }
  // The number of the clock for rows from now on, and where it is: atomic. Any thread, any signal handler.
  std::uint16_t current() const { return __atomic_load_n(&current_, __ATOMIC_ACQUIRE); }
  const std::uint16_t* place() const { return &current_; }

  // Looks at the clock. Returns true if it has stepped: next_start() is then the start of the next epoch, to be
  // declared before start_next(). Until then, looking again finds the same step.
  bool has_stepped();
  const ClockReading& next_start() const { return next_; }
  void start_next();

  // True if a pair of readings fits the last good one; otherwise it is an outlier, or the clock has stepped.
  bool goes_on(const ClockReading& reading) const;
  void note(const ClockReading& good);

  // No row of this clock that was recorded before `margin_ms` from now can have a later time; 0: unknown, because rows
  // of the caller's own clock may come in any order.
  std::uint64_t bound(std::uint16_t clock_id, std::uint64_t margin_ms) const;

  // The slot was begun before the latest step.
  bool is_past(const SlotState& slot) const { return slot.clock_id() != current(); }
  // The end of the rows of such a slot that are on its clock: `commit`, if no row there is known to be from after the
  // step.
  std::uint64_t end_of_past(const SlotState& slot, std::uint64_t commit) const;

 private:
  std::uint64_t ticks_at(std::int64_t ns) const;

  const Clock& clock_;
  std::uint16_t current_ = 1;
  ClockReading last_;  // good
  ClockReading next_;  // after a step
  // Between the last look before the latest step and the first one after it, the old clock went up to `past_to_`, and
  // the new one began at `since_` at the earliest. Where these ranges overlap, rows cannot be separated.
  std::uint64_t past_to_ = 0;
  std::uint64_t since_ = 0;
  bool separable_ = false;
  bool went_back_ = false;
};

}  // namespace evt
