// How many events of each type a session has, by the names of types.
#pragma once

#include <evt/analysis/event_counts.h>

#include <string>
#include <utility>
#include <vector>

namespace evt::report {

// In the order of the session's types.
using NamedCounts = std::vector<std::pair<std::string, std::uint64_t>>;

// Whether the indexes have all counts that are asked for: then no event needs to be read.
bool counts_are_indexed(const Trace& trace);
// The same, and of types that are declared alone, of which counts by events are by the same names.
bool counts_of_types_are_indexed(const Trace& trace);
NamedCounts counts_by_index(const Session& session);
// Those between two moments.
NamedCounts counts_between(const EventCounts& before, const EventCounts& after, const Session& session);
std::uint64_t sum_of(const NamedCounts& counts);

}  // namespace evt::report
