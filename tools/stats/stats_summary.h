// evt stats summary: what a trace declares.
#pragma once

#include "analysis.h"

namespace evt::tools {

// Events of a session by type, by its index or as they were counted.
using NamedCounts = std::vector<std::pair<std::string, std::uint64_t>>;

// Whether all counts stand in the index: then no event needs to be read.
bool counts_are_indexed(const Trace& trace);
NamedCounts counts_by_index(const Session& session);

std::uint64_t sum_of(const NamedCounts& counts);
Findings summary_of(const Session& session, const NamedCounts& counts, TimeRange range);

}  // namespace evt::tools
