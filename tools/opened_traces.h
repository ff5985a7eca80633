// The traces of a command line, opened.
#pragma once

#include <evt/trace.h>

#include <string>
#include <vector>

#include "cli/reading.h"
#include "report.h"

namespace evt::tools {

struct OpenedTrace {
  std::string name;  // as messages call it
  Trace trace;
};

// Those that can be opened, in their order; of the others the reason is reported, and `status` becomes what it is then.
std::vector<OpenedTrace> open_traces(const std::vector<TraceInput>& inputs, const Reading& reading, Report& report,
                                     int* status);
std::vector<const Trace*> traces_of(const std::vector<OpenedTrace>& opened);

}  // namespace evt::tools
