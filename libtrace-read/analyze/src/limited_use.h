// How much resources with a limit per second were used.
#pragma once

#include <evt/analysis/usage.h>

#include <map>
#include <tuple>
#include <vector>

namespace evt {

// A resource serves calls one after another, in the order in which they end, each for as long as its amount takes; but
// no call longer than it lasted.
class LimitedUse {
 public:
  using Limited = Usage::Limited;

  // A call that has ended. `of`: without its sums. `counts`: in rows().
  void add(const Limited& of, std::int64_t began_ns, std::int64_t ended_ns, std::uint64_t amount,
           std::uint64_t takes_ns, bool counts);
  // Counts only from this moment on; calls are still served after those before.
  void restart(std::int64_t ns);
  // Servers with at least one counted call.
  std::vector<Limited> rows() const;

 private:
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;
  struct Server {
    Limited sum;
    std::int64_t busy_since_ns = 0;
    std::int64_t busy_until_ns = INT64_MIN;
  };

  std::map<Key, Server> servers_;
  std::int64_t counted_from_ = INT64_MIN;
};

}  // namespace evt
