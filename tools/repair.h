// evt check --repair: what can be read of a trace, as a trace that is whole.
#pragma once

#include <evt/trace.h>

#include <string>

namespace evt::tools {

// Every event that can be read, session by session; where rows are missing, a loss by damage has their number. Sessions
// that were cut are closed. Each has a uuid of its own and names the one it was made from. `to`: as FileOutput takes
// it.
Status repair(Trace& trace, const std::string& to);

}  // namespace evt::tools
