// What differs between two groups of runs of a program, and whether that is more than chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/table.h"
#include "stats/large_changes.h"

namespace evt::tools {

struct RunRow;

// The findings of a trace, session by session.
using RunFindings = std::vector<SessionFindings>;

struct RunsDiffOptions {
  bool for_programs = false;      // columns are called by their keys
  bool only_significant = false;  // rows
  std::optional<double> limit;    // a significant change of a mean by more percent is too large
};

// Compares tables as Diff does, with the mean and the standard deviation of each group of runs, and Welch's confidence
// interval of the difference. Rows belong together that are called the same on both sides; of the others, by the names
// of programs and threads and, among those of one name, by their order: never by numbers of processes and threads, nor
// by addresses. A run that lacks a row does not count for it.
class RunsDiff {
 public:
  explicit RunsDiff(const RunsDiffOptions& options) : options_(options), large_(options.limit) {}

  // Sessions belong together by their order. REQUIRES: neither is empty.
  RunFindings compare(const std::vector<RunFindings>& before, const std::vector<RunFindings>& after);
  bool has_large() const { return large_.any(); }
  // About all that was compared.
  std::vector<std::string> sentences() const;

 private:
  // `before`: how many of these are of runs before; the others are of those after.
  Findings compare(const std::vector<const Findings*>& findings, std::size_t before);
  Table compare(const std::vector<Table>& tables, std::size_t before);
  void add(const RunRow& row, const Table::Column& column, std::size_t place, Table* table);

  RunsDiffOptions options_;
  LargeChanges large_;
  std::vector<std::string> sentences_;
  std::uint64_t compared_ = 0;            // values that vary
  std::vector<std::string> only_before_;  // rows of the analysis at hand
  std::vector<std::string> only_after_;
};

}  // namespace evt::tools
