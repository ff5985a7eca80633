#include "shares.h"

#include <algorithm>

namespace evt::view {
namespace {

// The first column from this one on that is not wholly between these times, which are in the scale.
std::uint32_t end_of_whole(const Scale& scale, std::uint32_t column, std::int64_t from_ns, std::int64_t to_ns) {
  if (from_ns != scale.edge(column)) return column;
  return to_ns == scale.to_ns() ? scale.columns() : scale.column_of(to_ns);
}

}  // namespace

void Shares::add(const Scale& scale, Key key, std::int64_t from_ns, std::int64_t to_ns) {
  scale_ = scale;
  from_ns = std::max(from_ns, scale.from_ns());
  to_ns = std::min(to_ns, scale.to_ns());
  if (from_ns >= to_ns) return;
  std::uint32_t column = scale.column_of(from_ns);
  const std::uint64_t ns = ns_between(from_ns, to_ns);
  if (ns < scale.width(column) && to_ns <= scale.edge(column + 1)) return add_to(column, key, ns);
  for (; from_ns < to_ns; ++column) {
    std::int64_t end_ns = std::min(to_ns, scale.edge(column + 1));
    const std::uint32_t end = end_of_whole(scale, column, from_ns, to_ns);
    if (end > column) {
      add_whole(column, end, key);
      end_ns = scale.edge(end);
      column = end - 1;
    } else {
      add_to(column, key, ns_between(from_ns, end_ns));
    }
    from_ns = end_ns;
  }
}

void Shares::add_to(std::uint32_t column, Key key, std::uint64_t ns) {
  if (!runs_.empty() && runs_.back().columns > 1 && runs_.back().end() == column + 1) {
    if (--runs_.back().columns == 1) runs_.back().ns = scale_.width(column - 1);
    runs_.push_back({scale_.width(column), column, 1, runs_.back().key});
  }
  auto run = runs_.rbegin();
  while (run != runs_.rend() && run->end() > column && run->key != key) ++run;
  if (run == runs_.rend() || run->end() <= column) {
    runs_.push_back({ns, column, 1, key});
  } else {
    run->ns += ns;
  }
}

void Shares::add_whole(std::uint32_t column, std::uint32_t end, Key key) {
  if (!runs_.empty() && runs_.back().end() > column) {
    add_to(column, key, scale_.width(column));
    if (++column == end) return;
  }
  runs_.push_back({scale_.width(column), column, (end - column) & kMostColumns, key});
}

}  // namespace evt::view
