// The session's clock: its kind, its rate, and its relation to the system's clocks.
#pragma once

#include <evt/evt.h>

#include <cstdint>

namespace evt {

// One moment on three scales.
struct ClockReading {
  std::uint64_t ticks = 0;
  std::int64_t ns = 0;      // on the session's time scale: CLOCK_MONOTONIC, or the caller's clock from 0
  std::int64_t utc_ns = 0;  // since 1970
  std::uint64_t uncertainty_ns = 0;
  std::uint64_t width_ticks = 0;  // from before the reading to after it
};

class Clock {
 public:
  // The caller's clock, or this machine's best if `own` is null.
  void choose(const evt_clock* own);

  std::uint8_t kind() const { return kind_; }
  std::uint64_t hz() const { return hz_; }
  std::uint32_t hz_denominator() const { return own_.hz_denominator > 1 ? own_.hz_denominator : 1; }
  std::uint64_t start_ticks() const { return own_.start_ticks; }
  // True if it can be paired with the session's time: a caller's clock only if the caller can do so.
  bool can_sync() const { return kind_ != EVT_CLOCK_OTHER || own_.now_ns != nullptr; }

  std::uint64_t now() const;
  // A span of time in ticks, by its nominal rate.
  std::uint64_t ticks_in(std::uint64_t ns) const;
  // On the session's time scale; by its nominal rate if the caller's clock is not paired with that.
  std::int64_t session_ns() const;
  ClockReading read_once() const;
  // The best of a few: a reading during which the thread was interrupted pairs badly.
  ClockReading read_all() const;

 private:
  std::uint8_t kind_ = EVT_CLOCK_MONOTONIC;
  std::uint64_t hz_ = 1'000'000'000;
  evt_clock own_ = {};
};

std::uint64_t monotonic_ns();
std::int64_t utc_ns();

}  // namespace evt
