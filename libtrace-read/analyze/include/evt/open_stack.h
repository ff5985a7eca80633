// Nested open things of threads.
#pragma once

#include <evt/timeline.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace evt {

// The outermost is at depth 0, as in TimelineItem::depth. Adding and removing the innermost or the outermost takes
// constant time; anything else moves what is nested in it.
template <typename T>
class OpenStack {
 public:
  std::size_t size() const { return last_ - first_; }
  bool empty() const { return last_ == first_; }
  T& operator[](std::size_t depth) { return all_[first_ + depth]; }
  const T& operator[](std::size_t depth) const { return all_[first_ + depth]; }
  T& innermost() { return all_[last_ - 1]; }
  const T& innermost() const { return all_[last_ - 1]; }
  T* begin() { return all_.data() + first_; }
  T* end() { return all_.data() + last_; }
  const T* begin() const { return all_.data() + first_; }
  const T* end() const { return all_.data() + last_; }

  T& emplace_back() { return add(); }
  // Adds the new innermost one.
  T& add() { return add(kNew); }
  T& add(const T& inner) {
    if (last_ == all_.size()) make_room();
    return all_[last_++] = inner;
  }
  // Removes one; those nested in it are one less deep from now on. Returns it; it stays valid until the next add().
  // REQUIRES: depth < size().
  T& remove(std::size_t depth) {
    if (depth == 0) {
      T& removed = all_[first_++];
      if (empty()) first_ = last_ = 0;
      return removed;
    }
    const auto removed = all_.begin() + static_cast<std::ptrdiff_t>(first_ + depth);
    std::rotate(removed, removed + 1, all_.begin() + static_cast<std::ptrdiff_t>(last_));
    return all_[--last_];
  }
  void clear() { first_ = last_ = 0; }

 private:
  // Reuses the space of those that were removed from the outside, once they are more than half.
  void make_room() {
    if (first_ <= last_ / 2) return all_.resize(last_ + 1);
    std::move(all_.begin() + static_cast<std::ptrdiff_t>(first_), all_.end(), all_.begin());
    last_ -= first_;
    first_ = 0;
  }

  // It is copied: to clear that many bytes compilers use an instruction that is slow to start.
  inline static const T kNew{};

  std::vector<T> all_;
  std::size_t first_ = 0;  // index of the outermost open one
  std::size_t last_ = 0;   // after them
};

// A value for each open span and call, from the items kBegan and kEnded of a session in order.
template <typename T>
class OpenStacks {
 public:
  // Until the next begin().
  T& begin(const TimelineItem& item) {
    if (item.thread >= threads_.size()) threads_.resize(item.thread + std::size_t{1});
    return threads_[item.thread].add();
  }
  // The one that ends, until the next begin().
  T& end(const TimelineItem& item) { return threads_[item.thread].remove(item.depth); }
  // By the indexes of threads; the last ones may be absent.
  const std::vector<OpenStack<T>>& threads() const { return threads_; }
  bool has_any(std::uint32_t thread) const { return thread < threads_.size() && !threads_[thread].empty(); }
  const OpenStack<T>& of(std::uint32_t thread) const { return threads_[thread]; }
  void clear() { threads_.clear(); }

 private:
  std::vector<OpenStack<T>> threads_;
};

}  // namespace evt
