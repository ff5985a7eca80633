// What INDEX blocks state of sessions beyond their blocks.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "libtrace-read/core/src/index/index_chain.h"
#include "session_data.h"

namespace evt {

// Adds what the indexes state of sessions beyond their blocks. Empty, or what contradicts the blocks.
std::optional<Damage> add_what_indexes_say(const std::vector<IndexedSession>& sessions, std::deque<SessionData>& data);

}  // namespace evt
