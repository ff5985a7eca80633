// The commands that evt stats FILE prints beside its figures.
#pragma once

#include <string>
#include <vector>

#include "base/table.h"

namespace evt::tools {

// Adds the trace to them, so that a shell takes them as they are. `file`: empty: there are several. False if no command
// is there.
bool name_trace_in_commands(const std::string& file, std::vector<SessionFindings>* sessions);

}  // namespace evt::tools
