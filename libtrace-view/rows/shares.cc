#include "shares.h"

#include <algorithm>

namespace evt::view {
namespace {

// How many columns from this one on are wholly between these times.
std::uint32_t whole_columns(const Scale& scale, std::uint32_t column, std::int64_t from_ns, std::int64_t to_ns) {
  if (from_ns != scale.edge(column)) return 0;
  return static_cast<std::uint32_t>(ns_between(from_ns, to_ns) >> scale.level());
}

}  // namespace

void Shares::add(const Scale& scale, Key key, std::int64_t from_ns, std::int64_t to_ns) {
  from_ns = std::max(from_ns, scale.from_ns());
  to_ns = std::min(to_ns, scale.to_ns());
  for (std::uint32_t column = scale.column_of(from_ns); from_ns < to_ns; ++column) {
    std::int64_t end_ns = std::min(to_ns, scale.edge(column + 1));
    const std::uint32_t end = scale.has_level() ? column + whole_columns(scale, column, from_ns, to_ns) : column;
    if (end > column) {
      add_whole(column, end - column, key, scale.width(column));
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
    --runs_.back().columns;
    runs_.push_back({runs_.back().ns, column, 1, runs_.back().key});
  }
  auto run = runs_.rbegin();
  while (run != runs_.rend() && run->end() > column && run->key != key) ++run;
  if (run == runs_.rend() || run->end() <= column) {
    runs_.push_back({ns, column, 1, key});
  } else {
    run->ns += ns;
  }
}

void Shares::add_whole(std::uint32_t column, std::uint32_t columns, Key key, std::uint64_t ns) {
  if (!runs_.empty() && runs_.back().end() > column) {
    add_to(column++, key, ns);
    if (--columns == 0) return;
  }
  runs_.push_back({ns, column, columns & kMostColumns, key});
}

}  // namespace evt::view
