// How the page of evt view calls the part of a merged session that rows are of.
#pragma once

#include <evt/session.h>

#include <string>

namespace evt::tools {

// Its name, and within what error its times are right against those of the first part, as evt merge reports it:
// `client.evt, clock within 120 ns`. Of several parts of one name each has its number too. REQUIRES: part <
// parts.size().
std::string part_title(const Session& session, std::size_t part);

}  // namespace evt::tools
