// What a cut leaves out of a session, and what was left out of it before -> what the new session states.
#pragma once

#include <evt/cut.h>

#include <optional>

namespace evt {

// Refers to nothing: its texts are its own.
LeftOut left_out_by(const CutOptions& options, const Session& session, const TimeRange& range);

// Of parts that become one session: what is left out of some of them. Nothing if none states it.
void add_left_out(const std::optional<LeftOut>& part, std::optional<LeftOut>* of_all);

}  // namespace evt
