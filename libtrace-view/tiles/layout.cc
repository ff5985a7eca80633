#include "layout.h"

#include <algorithm>

namespace evt::view {

const LayoutRow* Layout::row(std::uint32_t id) const {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const LayoutRow& each) { return each.id == id; });
  return row == rows.end() ? nullptr : &*row;
}

const LayoutRow* Layout::row(const std::string& key) const {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const LayoutRow& each) { return each.key == key; });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace evt::view
