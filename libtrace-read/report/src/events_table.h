// Numbers of events as a table.
#pragma once

#include "analysis.h"
#include "named_counts.h"

namespace evt::report {

// What was in a range, or that nothing was.
Findings events_findings(const NamedCounts& counts, TimeRange range);

}  // namespace evt::report
