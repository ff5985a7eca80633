#include "actor_names.h"

#include <algorithm>
#include <tuple>

namespace evt::view {

std::string name_of(const Actor& actor, const char* what, bool has_system_number) {
  std::string name = actor.name_or_number(what);
  if (has_system_number && !actor.is_stream && !actor.name.empty()) name += " " + std::to_string(actor.number);
  return name;
}

std::uint32_t part_of(const Session& session, const StreamInfo& stream) {
  const auto part = std::find_if(session.parts.begin(), session.parts.end(),
                                 [&](const MergedPart& each) { return each.has_stream(stream.id); });
  return part != session.parts.end() ? static_cast<std::uint32_t>(part - session.parts.begin()) : Actor::kNone;
}

// Those without a part have the largest number of one.
bool comes_before(const Actor& a, const Actor& b) {
  return std::tuple(a.part, a.is_stream, a.number) < std::tuple(b.part, b.is_stream, b.number);
}

}  // namespace evt::view
