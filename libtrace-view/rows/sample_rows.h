// Samples of what threads ran, or waited for, over time.
#pragma once

#include <evt/timeline.h>

#include <vector>

#include "column_counts.h"
#include "thread_lives.h"

namespace evt::view {

class SampleRows {
 public:
  SampleRows(const ThreadLives& lives, const Scale& scale) : lives_(&lives), scale_(&scale) {}

  // After lives have taken it.
  void take(const TimelineItem& item);
  // By the places of lives; null: it has none.
  const ColumnCounts* of_life(std::size_t life) const;
  // In columns twice as wide; before the scale changes.
  void coarsen();
  std::size_t size() const;

 private:
  const ThreadLives* lives_;
  const Scale* scale_;
  std::vector<ColumnCounts> by_life_;
};

}  // namespace evt::view
