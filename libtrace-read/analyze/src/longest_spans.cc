#include "longest_spans.h"

#include <algorithm>
#include <tuple>

namespace evt {

bool LongestSpans::comes_before(const Kept& a, const Kept& b) {
  return std::tuple(b.instance.place.ns, a.instance.place.began_ns, a.order) <
         std::tuple(a.instance.place.ns, b.instance.place.began_ns, b.order);
}

void LongestSpans::add(const Instance& instance) {
  if (most_ == 0) return;
  const Kept kept{instance, ended_++};
  if (kept_.size() == most_) {
    if (!comes_before(kept, kept_.front())) return;
    std::ranges::pop_heap(kept_, comes_before);
    kept_.pop_back();
  }
  kept_.push_back(kept);
  std::ranges::push_heap(kept_, comes_before);
}

std::vector<LongestSpans::Instance> LongestSpans::all() const {
  std::vector<Kept> sorted = kept_;
  std::ranges::sort(sorted, comes_before);
  std::vector<Instance> all;
  for (const Kept& kept : sorted) all.push_back(kept.instance);
  return all;
}

void LongestSpans::fold(const FoldedActors& gone) {
  for (Kept& kept : kept_) kept.instance.place.thread = gone(kept.instance.place.thread);
}

}  // namespace evt
