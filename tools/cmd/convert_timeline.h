// evt convert to what other programs draw.
#pragma once

#include <evt/export/timeline_export.h>

#include <functional>
#include <string>

#include "cmd/commands.h"
#include "base/report.h"

namespace evt::tools {

// Appends all of it to `out`, as far as drain() is true, which is called again and again. What went wrong with reading.
Status write_timeline(Trace& trace, TimelineExport& file, const Selection& selection, TextBuffer& out,
                      const std::function<bool()>& drain);

// Returns the exit status; `name` is how messages call the trace.
int convert_timeline(Trace& trace, TimelineExport& file, const ConvertArguments& options, Report& report,
                     const std::string& name);

}  // namespace evt::tools
