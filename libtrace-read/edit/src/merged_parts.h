// The parts of a session that was merged before -> parts of the session that it is merged into.
#pragma once

#include <evt/session.h>

#include <vector>

namespace evt {

// With the numbers that their streams get, of which those of the session begin with `first_stream`. Empty, if the
// session was not merged.
std::vector<MergedPart> renumbered_parts(const Session& session, std::uint32_t first_stream);

// How a part of a session came onto the scale of the merged one: as the part came onto that of its session, and then as
// the session did, which is `whole`.
void align_within(const MergedPart& whole, MergedPart* part);

}  // namespace evt
