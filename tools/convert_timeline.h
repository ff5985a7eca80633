// evt convert to what other programs draw.
#pragma once

#include <evt/export/timeline_export.h>

#include <string>

#include "cli/convert_options.h"
#include "report.h"

namespace evt::tools {

// Returns the exit status; `name` is how messages call the trace.
int convert_timeline(Trace& trace, TimelineExport& file, const ConvertArguments& options, Report& report,
                     const std::string& name);

}  // namespace evt::tools
