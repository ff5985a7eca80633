// How files of other programs call the process that something is of.
#pragma once

#include <evt/session.h>

#include <string>

namespace evt {

// Of a merged session the part, of others the program: what `part` is none of.
inline std::string part_name(const Session& session, std::uint32_t part) {
  if (part < session.parts.size()) return session.parts[part].name;
  return !session.program.empty() ? session.program : "session";
}

}  // namespace evt
