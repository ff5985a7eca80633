// Threads and cpus in tables of results.
#pragma once

#include <evt/analysis/actors.h>

#include "table.h"

namespace evt::tools {

// An actor as a cell: its number, or a text with the part or stream that it is of.
Cell actor_cell(const Actors& actors, const ActorList& table, std::uint32_t index);
// Its name; empty if it has none.
Cell actor_name(const ActorList& table, std::uint32_t index);

}  // namespace evt::tools
