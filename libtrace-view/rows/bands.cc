#include "bands.h"

#include <algorithm>

namespace evt::view {

void Bands::add(const Scale& scale, std::int64_t from_ns, std::int64_t to_ns) {
  const bool is_before = to_ns < scale.from_ns() || (to_ns == scale.from_ns() && from_ns < to_ns);
  if (is_before || (from_ns >= scale.from_ns() && !scale.has(from_ns))) return;
  const std::uint32_t first = scale.column_of(from_ns);
  mark(first, std::max(first, scale.column_of(std::max(from_ns, to_ns - 1))) + 1);
}

void Bands::add(const Bands& other) {
  for (const Run& run : other.runs()) mark(run.first, run.end);
}

void Bands::mark(std::uint32_t first, std::uint32_t end) {
  if (columns_.size() < end) columns_.resize(end);
  std::fill(columns_.begin() + first, columns_.begin() + end, true);
}

std::vector<Bands::Run> Bands::runs() const {
  std::vector<Run> runs;
  for (std::uint32_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i]) continue;
    if (runs.empty() || runs.back().end != i) runs.push_back({i, i});
    runs.back().end = i + 1;
  }
  return runs;
}

}  // namespace evt::view
