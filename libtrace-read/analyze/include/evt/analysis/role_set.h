// The events that a fold wants as rows, by their meaning.
#pragma once

#include <evt/schema.h>
#include <evt/session.h>

#include <bitset>
#include <initializer_list>

#pragma GCC visibility push(default)
namespace evt {

// Roles that this version does not know are included with Role::kNone, or not at all.
class RoleSet {
 public:
  RoleSet() = default;
  RoleSet(std::initializer_list<Role> roles) {
    for (const Role role : roles) roles_.set(place_of(role));
  }
  static RoleSet all() {
    RoleSet set;
    set.roles_.set();
    return set;
  }

  bool has(Role role) const { return roles_[place_of(role)]; }
  bool empty() const { return roles_.none(); }
  RoleSet& operator|=(const RoleSet& other) {
    roles_ |= other.roles_;
    return *this;
  }

 private:
  static std::size_t place_of(Role role) {
    const auto number = static_cast<std::size_t>(role);
    return number < EVT_ROLE_COUNT ? number : 0;
  }

  std::bitset<EVT_ROLE_COUNT> roles_;
};

// True if the session may have events of any of these roles: by its index or, without counts there, by its types.
bool may_have(const Session& session, std::initializer_list<Role> roles);

}  // namespace evt
#pragma GCC visibility pop
