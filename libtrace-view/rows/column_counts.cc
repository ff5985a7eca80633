#include "column_counts.h"

#include <algorithm>

namespace evt::view {

void ColumnCounts::add_to(std::uint32_t column, std::uint64_t amount) {
  if (!counts_.empty() && counts_.back().column == column) {
    counts_.back().amount += amount;
  } else {
    counts_.push_back({column, amount});
  }
}

void ColumnCounts::coarsen() {
  std::size_t size = 0;
  for (const Count& count : counts_) {
    const Count wider = {count.column / 2, count.amount};
    if (size > 0 && counts_[size - 1].column == wider.column) {
      counts_[size - 1].amount += wider.amount;
    } else {
      counts_[size++] = wider;
    }
  }
  counts_.resize(size);
  if (counts_.capacity() > 2 * size) counts_.shrink_to_fit();
}

std::vector<ColumnCounts::Count>::const_iterator ColumnCounts::first_in(const Zoom& zoom) const {
  const auto is_before = [](const Count& count, std::uint32_t column) { return count.column < column; };
  return std::lower_bound(counts_.begin(), counts_.end(), zoom.first(), is_before);
}

bool ColumnCounts::has_any(const Zoom& zoom) const {
  const auto first = first_in(zoom);
  return first != counts_.end() && first->column < zoom.end();
}

std::vector<std::uint64_t> ColumnCounts::seen(const Zoom& zoom) const {
  std::vector<std::uint64_t> columns(zoom.as().columns());
  for (auto count = first_in(zoom); count != counts_.end() && count->column < zoom.end(); ++count) {
    columns[zoom.column(count->column)] += count->amount;
  }
  return columns;
}

}  // namespace evt::view
