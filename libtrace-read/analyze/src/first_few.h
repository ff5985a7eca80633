// The first few of many things, in an order of the user's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace evt {

// Memory grows with the number of those kept. `comes_before` is a strict order in which no two are equal, or equal ones
// are alike.
template <typename T, auto comes_before>
class FirstFew {
 public:
  explicit FirstFew(std::size_t most = 0) : most_(most) {}

  void add(const T& one) {
    if (kept_.size() == most_) {
      if (most_ == 0 || !comes_before(one, kept_.front())) return;
      std::ranges::pop_heap(kept_, comes_before);
      kept_.pop_back();
    }
    kept_.push_back(one);
    std::ranges::push_heap(kept_, comes_before);
  }

  std::vector<T> in_order() const {
    std::vector<T> sorted = kept_;
    std::ranges::sort_heap(sorted, comes_before);
    return sorted;
  }

  // In no order. Changes to them must not change the order.
  std::vector<T>& kept() { return kept_; }
  void clear() { kept_.clear(); }

 private:
  std::size_t most_;
  std::vector<T> kept_;  // a heap, with the last of them on top
};

}  // namespace evt
