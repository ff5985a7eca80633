// Counted calls as a table.
#pragma once

#include <evt/analysis/call_counts.h>

#include "analysis.h"

namespace evt::report {

// The longest total first, then the most frequent.
Table counts_table(Timeline& timeline, const CallCounts& counts);

}  // namespace evt::report
