// Traces in the user's browser, until the user has seen enough.
#pragma once

#include <evt/status.h>

#include <deque>
#include <optional>
#include <string>

#include "cli/view_options.h"
#include "merged_trace.h"
#include "report.h"
#include "trace_answers.h"

namespace evt::tools {

class BrowserView {
 public:
  BrowserView(const ViewArguments& options, Report& report);

  // Before run(). The view owns the trace. Returns the exit status.
  int add(Trace trace, const std::string& name);
  // Shows all sessions on one timeline, or, where that is not wanted or cannot be, each on its own.
  Status run();

 private:
  bool has_one_session() const;
  void add_answers();
  // Whether they are on one timeline; if not, the note has why.
  bool merge(std::string* note);

  const ViewArguments& options_;
  Report& report_;
  std::deque<NamedTrace> traces_;
  std::optional<MergedTrace> merged_;
  TraceAnswers answers_;
};

}  // namespace evt::tools
