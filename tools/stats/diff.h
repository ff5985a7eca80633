// What differs between two results of the same analysis.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/table.h"
#include "stats/large_changes.h"

namespace evt::tools {

struct DiffOptions {
  std::string before;  // how they are called
  std::string after;
  bool for_programs = false;    // columns are called by their keys
  std::optional<double> limit;  // a change of a count, a duration or bytes by more percent is too large
};

// Compares tables by their rows and columns: a row of the result is a column of a row that both have, with both values,
// their difference and that in percent. What is the same in both is left out, and what no difference says anything of:
// percentages and moments. Of a row that is in one alone people see the first column. Rows belong together when their
// keys are the same; of a number that has a name (a thread, a cpu, a stream) the name counts, if that is so of all of
// them, and no two have the same.
class Diff {
 public:
  explicit Diff(const DiffOptions& options) : options_(options), large_(options.limit) {}

  // Sessions belong together by their order.
  std::vector<SessionFindings> compare(const std::vector<SessionFindings>& before,
                                       const std::vector<SessionFindings>& after);
  // Tables belong together by name, and one that is missing is as one without rows.
  Findings compare(const Findings& before, const Findings& after);
  Table compare(const Table& before, const Table& after);
  bool has_large() const { return large_.any(); }
  // About all that was compared.
  std::vector<std::string> sentences() const;

 private:
  DiffOptions options_;
  LargeChanges large_;
  std::vector<std::string> sentences_;
  std::vector<std::string> only_before_;  // rows of the tables at hand
  std::vector<std::string> only_after_;
};

}  // namespace evt::tools
