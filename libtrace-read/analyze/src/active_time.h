// Time divided by the number of active members at each moment.
#pragma once

#include <evt/analysis/shared_time.h>

#include <cstdint>

namespace evt {

// A sum over all time of dt / active: the share of a member that is active from one moment to another is the difference
// of two of its values, so an event costs the same however many are active.
//
// Why shares are exact to a nanosecond: dt is multiplied by floor(2^64 / active), which is too small by less than one
// 2^64th for each nanosecond. So a sum over all possible time, at most 2^63 ns, is too small by less than half a
// nanosecond for each active member, and by 2^-22 ns an hour in practice; nothing else is rounded before
// whole_shares().
class ActiveTime {
 public:
  // A member that is active at times.
  struct Member {
    SharedTime since;  // totals when it became active
    bool active = false;
  };

  // Called first: the beginning of time, if not 0.
  void start(std::int64_t ns) { now_ns_ = start_ns_ = ns; }
  // Moves to a later time; never back.
  void advance(std::int64_t ns) {
    if (ns == now_ns_) return;
    now_ += until(ns);
    idle_ns_ = idle_ns(ns);
    now_ns_ = ns;
  }
  // From now on, the moment of the latest advance(). REQUIRES: it is not so already.
  void begin(Member* member) { change(member, true); }
  void end(Member* member) { change(member, false); }
  // Counts from this moment on.
  void restart(std::int64_t ns);

  std::int64_t now_ns() const { return now_ns_; }
  std::int64_t start_ns() const { return start_ns_; }  // counted from
  std::uint32_t active() const { return active_; }
  // Peak number of active members since only one was active.
  std::uint32_t most() const { return most_; }
  const SharedTime& now() const { return now_; }
  // At a later moment, if nothing changes until then.
  SharedTime at(std::int64_t ns) const { return now_ + until(ns); }
  // Counted time until such a moment.
  SharedTime counted(std::int64_t ns) const { return at(ns) - before_; }
  // How long no member was active, until such a moment.
  std::uint64_t idle_ns(std::int64_t ns) const {
    return idle_ns_ + (active_ == 0 ? static_cast<std::uint64_t>(ns) - static_cast<std::uint64_t>(now_ns_) : 0);
  }
  // The length divided by a number.
  static Uint128 divided(std::uint64_t ns, std::uint32_t by);

 private:
  SharedTime until(std::int64_t ns) const;
  static SharedTime stretch(std::uint64_t ns, std::uint32_t active);
  void change(Member* member, bool active);

  std::int64_t now_ns_ = 0;
  std::int64_t start_ns_ = 0;
  SharedTime now_;
  SharedTime before_;  // until counting began
  std::uint64_t idle_ns_ = 0;
  std::uint32_t active_ = 0;
  std::uint32_t most_ = 1;
};

}  // namespace evt
