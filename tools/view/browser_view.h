// Traces in the user's browser, until the user has seen enough.
#pragma once

#include <evt/status.h>

#include <deque>
#include <string>

#include "cli/view_options.h"
#include "report.h"
#include "trace_answers.h"

namespace evt::tools {

class BrowserView {
 public:
  BrowserView(const ViewArguments& options, Report& report);

  // Before run(). The view owns the trace. Returns the exit status.
  int add(Trace trace, const std::string& name);
  Status run();

 private:
  const ViewArguments& options_;
  Report& report_;
  std::deque<Trace> traces_;
  TraceAnswers answers_;
};

}  // namespace evt::tools
