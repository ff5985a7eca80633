// Threads and cpus in tables of results.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/report_table.h>

namespace evt::report {

// An actor as a cell: its number, or a text with the part or stream that it is of.
Cell actor_cell(const Actors& actors, const ActorList& table, std::uint32_t index);
// By part and number, not in the order in which events named them.
bool comes_before(const ActorList& table, std::uint32_t a, std::uint32_t b);
// Its name; empty if it has none.
Cell actor_name(const ActorList& table, std::uint32_t index);

}  // namespace evt::report
