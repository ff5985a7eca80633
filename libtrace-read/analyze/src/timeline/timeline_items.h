// The list that the parts of a Timeline append to.
#pragma once

#include <evt/timeline.h>

#include <vector>

namespace evt {

// Wanted items, in their order; others are dropped.
class TimelineItems {
 public:
  void want(const ItemKinds& kinds) { wanted_ = kinds; }

  // Appends an item with the values of `at`, and returns it; if the kind is unwanted, returns one that is not among the
  // items. Valid until the next one.
  [[gnu::always_inline]] TimelineItem& append(const TimelineItem& at, ItemKind kind) {
    if (!wanted_.has(kind)) return dropped_;
    TimelineItem& item = all_.emplace_back(at);
    item.kind = kind;
    return item;
  }
  void append(const TimelineItem& item) {
    if (wanted_.has(item.kind)) all_.push_back(item);
  }
  void clear() { all_.clear(); }

  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  TimelineItem& operator[](std::size_t place) { return all_[place]; }
  const TimelineItem* begin() const { return all_.data(); }
  const TimelineItem* end() const { return all_.data() + all_.size(); }

 private:
  ItemKinds wanted_ = ItemKinds::all();
  std::vector<TimelineItem> all_;
  TimelineItem dropped_;  // in place of unwanted ones
};

}  // namespace evt
