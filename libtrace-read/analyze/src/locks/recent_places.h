// What threads did lately.
#pragma once

#include <evt/analysis/actors.h>

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace evt {

// The innermost span or call of each thread, since a moment that moves on. Of each thread the last kMost changes are
// known: before them, nothing is.
class RecentPlaces {
 public:
  static constexpr std::size_t kMost = 4096;

  struct Place {
    std::uint32_t name = Actor::kNone;
    std::uint32_t target = Actor::kNone;

    friend auto operator<=>(const Place&, const Place&) = default;
  };
  using Take = std::function<void(const Place& place, std::uint64_t ns)>;

  // A thread is in another place from now on. Nothing will be asked about the time before `needed_ns`.
  void become(std::uint32_t thread, const Place& place, std::int64_t ns, std::int64_t needed_ns);
  void forget(std::uint32_t thread);
  void divide(std::uint32_t thread, std::int64_t from_ns, std::int64_t to_ns, const Take& take) const;

 private:
  struct Change {
    std::int64_t ns = 0;
    Place place;
  };

  std::vector<std::deque<Change>> threads_;
};

}  // namespace evt
