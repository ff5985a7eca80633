// The longest of many spans and calls.
#pragma once

#include <evt/analysis/spans.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evt {

// Prefers equal ones that began first, then those that ended first. Memory grows with the number of those kept.
class LongestSpans {
 public:
  using Instance = Spans::Instance;

  explicit LongestSpans(std::size_t most) : most_(most) {}

  void add(const Instance& instance);
  // The longest first.
  std::vector<Instance> all() const;
  void fold(const FoldedActors& gone);
  void clear() { kept_.clear(); }

 private:
  struct Kept {
    Instance instance;
    std::uint64_t order = 0;  // in which they ended
  };

  static bool comes_before(const Kept& a, const Kept& b);

  std::size_t most_;
  std::uint64_t ended_ = 0;
  std::vector<Kept> kept_;  // a heap, with the last of them on top
};

}  // namespace evt
