// Total time that is in any of many stretches.
#pragma once

#include <cstdint>
#include <vector>

namespace evt {

// They come nearly in the order of their ends.
class CoveredTime {
 public:
  void add(std::int64_t from_ns, std::int64_t to_ns);
  std::uint64_t ns() const;

 private:
  struct Stretch {
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
  };

  std::uint64_t before_ns_ = 0;  // without:
  std::vector<Stretch> latest_;  // in order, without overlaps
};

}  // namespace evt
