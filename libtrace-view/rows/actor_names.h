// How rows call threads and cpus.
#pragma once

#include <evt/analysis/actors.h>

#include <string>

namespace evt::view {

// Its name, or `WHAT NUMBER`; of a merged session with the part that it is of.
std::string name_of(const Session& session, const Actor& actor, const char* what);
// By part and number.
bool comes_before(const Actor& a, const Actor& b);

}  // namespace evt::view
