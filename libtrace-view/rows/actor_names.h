// How rows call threads and cpus.
#pragma once

#include <evt/analysis/actors.h>

#include <string>

namespace evt::view {

// Its name and the number that the system gave it, if it has one; without a name `WHAT NUMBER`.
std::string name_of(const Actor& actor, const char* what, bool has_system_number);
// Of a merged session, which of its parts a stream is of; Actor::kNone of others.
std::uint32_t part_of(const Session& session, const StreamInfo& stream);
// By part and number.
bool comes_before(const Actor& a, const Actor& b);

}  // namespace evt::view
