#include "stats/large_changes.h"

#include <fmt/core.h>

#include <cmath>

namespace evt::tools {

void LargeChanges::take(const std::string& where, const Table::Column& column, double percent) {
  const bool is_judged =
      column.kind == CellKind::kCount || column.kind == CellKind::kDuration || column.kind == CellKind::kBytes;
  const double size = std::abs(percent);
  if (!limit_ || !is_judged || size <= *limit_) return;
  ++count_;
  if (size <= largest_) return;
  largest_ = size;
  where_ = where;
}

std::string LargeChanges::sentence(const char* kind) const {
  const std::string by = std::isfinite(largest_) ? fmt::format("{:.1f} %", largest_) : "from 0";
  return fmt::format("{} of more than {} %, the largest by {}: {}", counted(count_, kind), *limit_, by, where_);
}

}  // namespace evt::tools
