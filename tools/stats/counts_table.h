// Counted calls as a table.
#pragma once

#include <evt/analysis/call_counts.h>

#include "analysis.h"

namespace evt::tools {

// The longest in sum first, then the most.
Table counts_table(Timeline& timeline, const CallCounts& counts);

}  // namespace evt::tools
