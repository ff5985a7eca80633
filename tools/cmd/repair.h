// evt check --repair: what can be read of a trace, as a trace that is whole.
#pragma once

#include <evt/trace.h>

#include <string>
#include <vector>

#include "base/output_mode.h"

namespace evt::tools {

// Every event that can be read, session by session; where rows are missing, a loss by damage has their number. Sessions
// that were truncated are closed, and state that nothing behind their last event is there. Each has a uuid of its own
// and names the one it was made from. `to`: as FileOutput takes it. `left_out`: gets a sentence for each type that no
// writer declares, whose events are losses of the copy.
Status repair(Trace& trace, const std::string& to, const OutputMode& mode, std::vector<std::string>* left_out);

}  // namespace evt::tools
