#include "shares.h"

#include <algorithm>

namespace evt::view {

void Shares::add(const Scale& scale, Key key, std::int64_t from_ns, std::int64_t to_ns) {
  from_ns = std::max(from_ns, scale.from_ns());
  to_ns = std::min(to_ns, scale.to_ns());
  for (std::uint32_t column = scale.column_of(from_ns); from_ns < to_ns; ++column) {
    const std::int64_t end_ns = std::min(to_ns, scale.edge(column + 1));
    add_to(column, key, ns_between(from_ns, end_ns));
    from_ns = end_ns;
  }
}

void Shares::add_to(std::uint32_t column, Key key, std::uint64_t ns) {
  auto cell = cells_.rbegin();
  while (cell != cells_.rend() && cell->column == column && cell->key != key) ++cell;
  if (cell == cells_.rend() || cell->column != column) {
    cells_.push_back({column, key, ns});
  } else {
    cell->ns += ns;
  }
}

}  // namespace evt::view
