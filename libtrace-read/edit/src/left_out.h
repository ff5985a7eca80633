// What a cut leaves out of a session, and what was left out of it before -> the statement of the new session.
#pragma once

#include <evt/cut.h>

#include <optional>

namespace evt {

// Owns its texts.
LeftOut left_out_by(const CutOptions& options, const Session& session, const TimeRange& range);

// For parts that become one session: what is left out of some of them. Nothing if none states it.
void add_left_out(const std::optional<LeftOut>& part, std::optional<LeftOut>* of_all);

}  // namespace evt
