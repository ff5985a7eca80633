#include "anonymous.h"

#include <algorithm>

namespace evt {
namespace {

bool is_name(Role role) { return role == Role::kObjectName || role == Role::kProgram || role == Role::kArguments; }

}  // namespace

bool names_code(const EventType& type, const Field& field) {
  return type.role() == Role::kFrame || field.role == Role::kCaller || field.role == Role::kModule ||
         (field.role == Role::kStack && field.kind == Kind::kInterned);
}

bool states_code(const EventType& type) {
  return type.role() == Role::kFrame && std::ranges::any_of(type.fields(), [](const Field& field) {
           return field.kind == Kind::kText || field.kind == Kind::kBytes || field.role == Role::kBuildId;
         });
}

bool names_program_or_objects(const EventType& type) {
  return is_name(type.role()) ||
         std::ranges::any_of(type.meaning().facets, [](const Facet& facet) { return is_name(facet.role); });
}

}  // namespace evt
