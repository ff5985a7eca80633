#include "field_class.h"

namespace evt::ctf {

FieldPtr FieldClass::clone() const {
  auto copy = std::make_unique<FieldClass>(kind);
  copy->role = role;
  copy->order = order;
  copy->is_signed = is_signed;
  copy->is_enumeration = is_enumeration;
  copy->is_hexadecimal = is_hexadecimal;
  copy->is_character = is_character;
  copy->is_text = is_text;
  copy->is_blob = is_blob;
  copy->is_length_fixed = is_length_fixed;
  copy->bits = bits;
  copy->align = align;
  copy->length = length;
  copy->clock = clock;
  copy->labels = labels;
  copy->location = location;
  copy->line = line;
  for (const Member& member : members) copy->members.push_back({member.name, member.field->clone(), member.ranges});
  if (element) copy->element = element->clone();
  return copy;
}

std::string shown_name(const std::string& name, bool is_tsdl) {
  return is_tsdl && name.size() > 1 && name[0] == '_' ? name.substr(1) : name;
}

}  // namespace evt::ctf
