#include "fields.h"

#include <fmt/format.h>

#include <iterator>

namespace evt::ctf {
namespace {

void append_members(std::string* out, const bt_field* field) {
  const bt_field_class* const type = bt_field_borrow_class_const(field);
  *out += '{';
  for (std::uint64_t i = 0; i < bt_field_class_structure_get_member_count(type); ++i) {
    const auto* const member = bt_field_class_structure_borrow_member_by_index_const(type, i);
    *out += fmt::format("{}{} = ", i > 0 ? ", " : "", bt_field_class_structure_member_get_name(member));
    append_text(out, bt_field_structure_borrow_member_field_by_index_const(field, i));
  }
  *out += '}';
}

void append_elements(std::string* out, const bt_field* field) {
  *out += '[';
  for (std::uint64_t i = 0; i < bt_field_array_get_length(field); ++i) {
    if (i > 0) *out += ", ";
    append_text(out, bt_field_array_borrow_element_field_by_index_const(field, i));
  }
  *out += ']';
}

}  // namespace

std::optional<std::uint64_t> number_in(const bt_field* field) {
  const bt_field_class_type type = bt_field_get_class_type(field);
  if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
    return bt_field_integer_unsigned_get_value(field);
  }
  if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
    return static_cast<std::uint64_t>(bt_field_integer_signed_get_value(field));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_in(const bt_field* structure, const char* name) {
  if (structure == nullptr) return std::nullopt;
  const bt_field* const field = bt_field_structure_borrow_member_field_by_name_const(structure, name);
  return field != nullptr ? number_in(field) : std::nullopt;
}

void append_text(std::string* out, const bt_field* field) {
  const bt_field_class_type type = bt_field_get_class_type(field);
  if (type == BT_FIELD_CLASS_TYPE_BOOL) {
    *out += bt_field_bool_get_value(field) != BT_FALSE ? "true" : "false";
  } else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY) {
    *out += fmt::format("{:#x}", bt_field_bit_array_get_value_as_integer(field));
  } else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
    *out += fmt::format("{}", bt_field_integer_unsigned_get_value(field));
  } else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) {
    *out += fmt::format("{}", bt_field_integer_signed_get_value(field));
  } else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL) {
    *out += fmt::format("{}", bt_field_real_single_precision_get_value(field));
  } else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL) {
    *out += fmt::format("{}", bt_field_real_double_precision_get_value(field));
  } else if (type == BT_FIELD_CLASS_TYPE_STRING) {
    *out += bt_field_string_get_value(field);
  } else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE) {
    append_members(out, field);
  } else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY)) {
    append_elements(out, field);
  } else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION)) {
    const bt_field* const chosen = bt_field_option_borrow_field_const(field);
    if (chosen != nullptr) append_text(out, chosen);
  } else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT)) {
    append_text(out, bt_field_variant_borrow_selected_option_field_const(field));
  }
}

}  // namespace evt::ctf
