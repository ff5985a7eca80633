// evt convert to a CTF trace.
#pragma once

#include <string>

#include "cmd/commands.h"
#include "base/report.h"

namespace evt::tools {

// Returns the exit status; `name` is how messages call the trace.
int convert_to_ctf(Trace& trace, const ConvertArguments& options, Report& report, const std::string& name);

}  // namespace evt::tools
