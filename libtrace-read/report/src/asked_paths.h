// The tables of paths that are asked for: of all names, or of callers and callees, or folded.
#pragma once

#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/report/shared/call_tables.h"
#include "libtrace-read/report/shared/thread_groups.h"

namespace evt::report {

class AskedPaths {
 public:
  explicit AskedPaths(const AnalysisInput& input);

  ThreadGroups& groups() { return groups_; }
  // Adds the tables, what they lack of all paths, and patterns that match nothing.
  void add(const CallTables& tables, bool has_other_paths, Findings* findings) const;
  void add_others(Findings* findings) const;

 private:
  void add_tables(const CallTables& tables, Findings* findings) const;
  void add_unmet(const CallTables& tables, std::vector<Unmet>* unmet) const;
  // Figures by name are complete without them.
  bool asks_for_paths() const { return options_.fold || !options_.callers.empty() || !options_.callees.empty(); }

  Timeline& timeline_;
  const CallOptions& options_;
  ThreadGroups groups_;
};

}  // namespace evt::report
