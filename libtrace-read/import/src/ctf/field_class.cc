#include "field_class.h"

namespace evt::ctf {

FieldPtr FieldClass::clone() const {
  auto copy = std::make_unique<FieldClass>(kind);
  static_cast<FieldFacts&>(*copy) = *this;
  for (const Member& member : members) copy->members.push_back({member.name, member.field->clone(), member.ranges});
  if (element) copy->element = element->clone();
  return copy;
}

std::string shown_name(const std::string& name, bool is_tsdl) {
  return is_tsdl && name.size() > 1 && name[0] == '_' ? name.substr(1) : name;
}

}  // namespace evt::ctf
