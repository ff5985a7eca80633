#include "sample_rows.h"

namespace evt::view {

void SampleRows::take(const TimelineItem& item) {
  if (!ThreadLives::is_sample(item) || !scale_->has(item.ns)) return;
  const std::size_t life = lives_->latest_of(item.event->thread);
  if (life == ThreadLives::kNone) return;
  if (life >= by_life_.size()) by_life_.resize(life + 1);
  by_life_[life].add(*scale_, item.ns);
}

const ColumnCounts* SampleRows::of_life(std::size_t life) const {
  return life < by_life_.size() && by_life_[life].size() > 0 ? &by_life_[life] : nullptr;
}

void SampleRows::coarsen() {
  for (ColumnCounts& counts : by_life_) counts.coarsen();
}

std::size_t SampleRows::size() const {
  std::size_t size = 0;
  for (const ColumnCounts& counts : by_life_) size += counts.size();
  return size;
}

}  // namespace evt::view
