// The tables of many stretches of time, one below the other.
#pragma once

#include <evt/report.h>

#include <vector>

namespace evt::report {

// For each table of an analysis one whose rows begin with their stretch. A column that some stretch does not have is
// empty there, and hidden if no stretch shows it.
class Stretches {
 public:
  // In the order of time.
  void add(TimeRange stretch, const std::vector<Table>& tables);
  // Without rows if no stretch has such a table.
  Table of(const Table& table) const;

 private:
  std::vector<Table> tables_;
};

}  // namespace evt::report
