// What evt check found, for people and for programs.
#pragma once

#include <evt/trace.h>

#include <string>
#include <vector>

#include "text_buffer.h"

namespace evt::tools {

// `events`: of each session. For people a line for each; damage and what is missing are said on standard error.
void append_findings(TextBuffer& out, const std::string& file, const Trace& trace,
                     const std::vector<std::uint64_t>& events);
// One object, in a line, with all of it; times in nanoseconds since the session's start.
void append_findings_as_json(TextBuffer& out, const std::string& file, const Trace& trace,
                             const std::vector<std::uint64_t>& events);

}  // namespace evt::tools
