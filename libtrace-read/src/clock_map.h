// Ticks of one clock into nanoseconds on the session's time scale (FORMAT.md, section 9).
#pragma once

#include <evt/session.h>

#include <cstdint>
#include <vector>

namespace evt {

// From one time to another; what a hostile trace claims may wrap.
inline std::int64_t distance_ns(std::int64_t from, std::int64_t to) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from));
}

class ClockMap {
 public:
  explicit ClockMap(const ClockInfo& clock);

  // One moment on the clock and on the session's scale; one that is not later in both than the last is left out.
  void add_anchor(std::uint64_t ticks, std::int64_t ns);
  // How far UTC is ahead of the session's scale, from `ns` on.
  void add_utc(std::int64_t ns, std::int64_t utc_ns);

  // Never decreases when ticks increase; clamped to what 64 bits hold.
  std::int64_t to_ns(std::uint64_t ticks) const;
  std::int64_t to_utc(std::int64_t ns) const;

 private:
  struct Anchor {
    std::uint64_t ticks;
    std::int64_t ns;
  };
  struct Utc {
    std::int64_t from_ns;
    std::int64_t ahead;
  };

  std::int64_t extrapolate(const Anchor& from, std::uint64_t ticks) const;

  std::uint64_t hz_;
  std::vector<Anchor> anchors_;  // at least one
  std::vector<Utc> utc_;
};

}  // namespace evt
