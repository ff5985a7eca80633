#include <evt/analysis/role_set.h>

#include <algorithm>

namespace evt {

bool may_have(const Session& session, std::initializer_list<Role> roles) {
  return std::ranges::any_of(session.types, [&](const EventType& type) {
    if (std::ranges::none_of(roles, [&](Role role) { return type.has_role(role); })) return false;
    if (session.counts.empty() || type.number() >= EVT_ROW_WIDE) return true;
    return std::ranges::any_of(session.counts,
                               [&](const TypeCount& count) { return count.number == type.number() && count.rows > 0; });
  });
}

}  // namespace evt
