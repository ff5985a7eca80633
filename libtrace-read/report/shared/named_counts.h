// Number of events of each type in a session, by the names of types.
#pragma once

#include <evt/analysis/event_counts.h>

#include <string>
#include <utility>
#include <vector>

namespace evt::report {

// In the order of the session's types.
using NamedCounts = std::vector<std::pair<std::string, std::uint64_t>>;

// True if the indexes have all requested counts: then no event needs to be read.
bool counts_are_indexed(const Trace& trace);
// As above, for declared types only, because counts from events use the same names.
bool counts_of_types_are_indexed(const Trace& trace);
NamedCounts counts_by_index(const Session& session);
// Those between two moments.
NamedCounts counts_between(const EventCounts& before, const EventCounts& after, const Session& session);
std::uint64_t sum_of(const NamedCounts& counts);

}  // namespace evt::report
