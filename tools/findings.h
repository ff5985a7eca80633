// What evt check found, for people and for programs.
#pragma once

#include <evt/export/text_buffer.h>
#include <evt/trace.h>

#include <string>
#include <vector>

#include "misfits.h"
#include "report.h"

namespace evt::tools {

// What reading a session's events has shown.
struct Counted {
  std::uint64_t events = 0;
  std::vector<Misfit> misfits;
  std::uint64_t unknown_times = 0;  // in fields
};

// `counted`: each session. For people a line for each; damage, losses and what is missing are reported on standard
// error.
void append_findings(TextBuffer& out, const std::string& file, const Trace& trace, const std::vector<Counted>& counted);
// One object, in a line, with all of it; times in nanoseconds since the session's start. `report` has the losses, and
// what of the trace could not be read.
void append_findings_as_json(TextBuffer& out, const std::string& file, const Trace& trace,
                             const std::vector<Counted>& counted, const Report& report);

}  // namespace evt::tools
