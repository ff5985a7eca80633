// What a trace has of a session whose earlier rows were not kept.
#pragma once

#include <evt/trace.h>

#include <optional>

#pragma GCC visibility push(default)
namespace evt {

// Nanoseconds from the first row of this session that the trace has to its last one, if all rows that were not kept
// were recorded before these. Nothing if some were recorded in between, or if that is not known.
std::optional<std::uint64_t> length_of_last_rows(const Trace& trace, const Session& session);

}  // namespace evt
#pragma GCC visibility pop
