// evt stats summary: what a trace declares.
#pragma once

#include "analysis.h"
#include "named_counts.h"

namespace evt::report {

Findings summary_of(const Trace& trace, const Session& session, const NamedCounts& counts, TimeRange range);

}  // namespace evt::report
