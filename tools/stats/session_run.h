// Analyses over the sessions of a trace, in one pass.
#pragma once

#include <evt/trace.h>

#include <string>
#include <utility>
#include <vector>

#include "progress.h"
#include "report.h"
#include "session_range.h"
#include "stats/analysis.h"

namespace evt::tools {

struct RunOptions : RangeWanted {
  std::string file;  // the trace's path, beside which checkpoints are kept; empty: none are
  bool summary = false;
  std::vector<const AnalysisKind*> kinds;
  AnalysisOptions analysis;
  Report* report = nullptr;  // counts losses that are met
};

struct SessionFindings {
  const Session* session = nullptr;
  TimeRange range;           // that they are of, within the session
  std::uint64_t events = 0;  // in it, that are wanted
  std::vector<std::pair<std::string, Findings>> by_analysis;
};

// An error if `every` divides a session into more stretches than there is an answer for.
Status check_stretches(const Trace& trace, const RunOptions& options);

std::vector<SessionFindings> run_sessions(Trace& trace, const RunOptions& options, Progress* progress);

}  // namespace evt::tools
