#include <evt/analysis/role_set.h>

#include <algorithm>

namespace evt {

bool may_have(const Session& session, std::initializer_list<Role> roles) {
  return std::any_of(session.types.begin(), session.types.end(), [&](const EventType& type) {
    if (std::none_of(roles.begin(), roles.end(), [&](Role role) { return type.has_role(role); })) return false;
    if (session.counts.empty() || type.number() >= EVT_ROW_WIDE) return true;
    return std::any_of(session.counts.begin(), session.counts.end(),
                       [&](const TypeCount& count) { return count.number == type.number() && count.rows > 0; });
  });
}

}  // namespace evt
