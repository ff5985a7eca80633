// The parts of a session that was merged before -> parts of the session that it is merged into.
#pragma once

#include <evt/session.h>

#include <vector>

namespace evt {

// Parts with the new numbers of their streams; those of the session begin with `first_stream`. Empty if the session was
// not merged.
std::vector<MergedPart> renumbered_parts(const Session& session, std::uint32_t first_stream);

// How a part of a session was mapped to the scale of the merged one: first like the part to that of its session, and
// then like the session, which is `whole`.
void align_within(const MergedPart& whole, MergedPart* part);

}  // namespace evt
