// Tables over time as lines of bars: a row for each thing, instead of one for each thing and stretch of time.
#pragma once

#include <string>
#include <vector>

#include "base/table.h"

namespace evt::tools {

struct SparklineLook {
  bool has_blocks = true;     // false: ASCII only
  std::size_t columns = 100;  // of a whole row
};

// Number of different stretches. REQUIRES, here and below: the table is over time.
std::size_t steps_of(const Table& table);
// Of each thing the least and the greatest value, and a bar for each stretch, or for several in a row: the greatest of
// them. Bars begin at 0, and what a stretch does not have is a space. `names`: the columns to draw; if empty, the one
// that says most, and of a table of one thing all.
Table sparklines(const Table& table, const std::vector<std::string>& names, const SparklineLook& look);

}  // namespace evt::tools
