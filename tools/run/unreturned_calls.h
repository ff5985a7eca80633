// Calls that did not return: the program, a process or a thread ended meanwhile, or left them by a jump.
#pragma once

#include <evt/timeline.h>

#include <cstdint>
#include <unordered_map>

namespace evt::tools {

// Takes the items of a session in order.
class UnreturnedCalls {
 public:
  void take(const TimelineItem& item);

  std::uint64_t count() const { return count_; }
  // How long those of a function took until then, one that is in another one of that name left out.
  std::uint64_t ns_of(std::uint32_t name) const;

 private:
  struct OfName {
    std::uint64_t ns = 0;
    // The latest.
    std::uint64_t latest_ns = 0;
    std::int64_t ended_ns = 0;
    std::uint32_t thread = Actor::kNone;
  };
  std::uint64_t count_ = 0;
  std::unordered_map<std::uint32_t, OfName> by_name_;
};

}  // namespace evt::tools
