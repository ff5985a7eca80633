// Up to which time of a session rows were met so long ago that they are due.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>

namespace evt {

// Needs no clock of the session: a row is due when the delay has passed since it, or a later one, was met. Of what is
// there at first, the latest counts as met when it was recorded.
class Watermark {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Watermark(Clock::duration delay) : delay_(delay) {}

  // The latest row that was met so far has this time.
  void meet(std::int64_t latest_ns, Clock::time_point now);
  std::int64_t due_ns() const { return due_ns_.value_or(INT64_MIN); }
  // When more will be due, if no row comes; the end of time if all is.
  Clock::time_point next() const { return met_.empty() ? Clock::time_point::max() : met_.front().at + delay_; }

 private:
  struct Met {
    Clock::time_point at;
    std::int64_t ns;
  };
  Clock::duration delay_;
  std::deque<Met> met_;
  std::optional<std::int64_t> due_ns_;
};

}  // namespace evt
