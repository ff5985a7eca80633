#include "bands.h"

#include <algorithm>

namespace evt::view {

void Bands::add(const Scale& scale, std::int64_t from_ns, std::int64_t to_ns) {
  const bool is_before = to_ns < scale.from_ns() || (to_ns == scale.from_ns() && from_ns < to_ns);
  if (is_before || (from_ns >= scale.from_ns() && !scale.has(from_ns))) return;
  const std::uint32_t first = scale.column_of(from_ns);
  mark({first, std::max(first, scale.column_of(std::max(from_ns, to_ns - 1))) + 1});
}

void Bands::add(const Bands& other) {
  for (const Run& run : other.runs_) mark(run);
}

// Most are behind all others, or go on with the last one.
void Bands::mark(Run run) {
  auto first = runs_.end();
  while (first != runs_.begin() && std::prev(first)->end >= run.first) --first;
  auto end = first;
  for (; end != runs_.end() && end->first <= run.end; ++end) {
    run = {std::min(run.first, end->first), std::max(run.end, end->end)};
  }
  if (first == end) {
    runs_.insert(first, run);
  } else {
    *first = run;
    runs_.erase(std::next(first), end);
  }
}

void Bands::coarsen() {
  Bands coarser;
  for (const Run& run : runs_) coarser.mark({run.first / 2, (run.end + 1) / 2});
  *this = std::move(coarser);
}

Bands Bands::seen(const Zoom& zoom) const {
  Bands seen;
  for (const Run& run : runs_) {
    const std::uint32_t first = std::max(run.first, zoom.first());
    const std::uint32_t end = std::min(run.end, zoom.end());
    if (first < end) seen.mark({zoom.column(first), zoom.column(end - 1) + 1});
  }
  return seen;
}

}  // namespace evt::view
