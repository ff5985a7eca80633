#include "fields.h"

#include <evt/format.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>

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

std::uint32_t width_of(const bt_field_class* integer) {
  const std::uint64_t bits = bt_field_class_integer_get_field_value_range(integer);
  return bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
}

bool has_truth_values(const bt_field_class* enumeration) {
  const auto labels = labels_of(enumeration);
  const auto has = [&](std::uint64_t value, std::string_view text) {
    return std::any_of(labels.begin(), labels.end(),
                       [&](const auto& label) { return label.first == value && text == label.second; });
  };
  return width_of(enumeration) == 1 && labels.size() == 2 && has(0, "false") && has(1, "true");
}

}  // namespace

std::optional<NumberType> number_type(const bt_field_class* type) {
  const bt_field_class_type kind = bt_field_class_get_type(type);
  const auto is = [&](bt_field_class_type wanted) { return bt_field_class_type_is(kind, wanted) != BT_FALSE; };
  if (is(BT_FIELD_CLASS_TYPE_ENUMERATION)) {
    const auto is_bool = is(BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER) && has_truth_values(type);
    return NumberType{static_cast<std::uint16_t>(is_bool ? EVT_KIND_BOOL : EVT_KIND_ENUMERATION), width_of(type)};
  }
  if (is(BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) return NumberType{EVT_KIND_UNSIGNED, width_of(type)};
  if (is(BT_FIELD_CLASS_TYPE_SIGNED_INTEGER)) return NumberType{EVT_KIND_SIGNED, width_of(type)};
  if (is(BT_FIELD_CLASS_TYPE_BOOL)) return NumberType{EVT_KIND_BOOL, 1};
  if (is(BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)) return NumberType{EVT_KIND_FLOAT, 4};
  if (is(BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)) return NumberType{EVT_KIND_FLOAT, 8};
  return std::nullopt;
}

std::uint64_t bits_of(const bt_field* number) {
  switch (bt_field_get_class_type(number)) {
    case BT_FIELD_CLASS_TYPE_BOOL:
      return bt_field_bool_get_value(number) != BT_FALSE ? 1 : 0;
    case BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL:
      return std::bit_cast<std::uint32_t>(bt_field_real_single_precision_get_value(number));
    case BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL:
      return std::bit_cast<std::uint64_t>(bt_field_real_double_precision_get_value(number));
    default:
      return number_in(number).value_or(0);
  }
}

std::vector<std::pair<std::uint64_t, const char*>> labels_of(const bt_field_class* enumeration) {
  std::vector<std::pair<std::uint64_t, const char*>> labels;
  const auto add = [&](std::uint64_t low, std::uint64_t high, const char* text) {
    if (low == high) labels.emplace_back(low, text);
  };
  const bool has_signs =
      bt_field_class_type_is(bt_field_class_get_type(enumeration), BT_FIELD_CLASS_TYPE_SIGNED_INTEGER) != BT_FALSE;
  for (std::uint64_t i = 0; i < bt_field_class_enumeration_get_mapping_count(enumeration); ++i) {
    if (has_signs) {
      const auto* const mapping = bt_field_class_enumeration_signed_borrow_mapping_by_index_const(enumeration, i);
      const auto* const ranges = bt_field_class_enumeration_signed_mapping_borrow_ranges_const(mapping);
      const char* const text = bt_field_class_enumeration_mapping_get_label(
          bt_field_class_enumeration_signed_mapping_as_mapping_const(mapping));
      for (std::uint64_t at = 0;
           at < bt_integer_range_set_get_range_count(bt_integer_range_set_signed_as_range_set_const(ranges)); ++at) {
        const auto* const range = bt_integer_range_set_signed_borrow_range_by_index_const(ranges, at);
        add(static_cast<std::uint64_t>(bt_integer_range_signed_get_lower(range)),
            static_cast<std::uint64_t>(bt_integer_range_signed_get_upper(range)), text);
      }
    } else {
      const auto* const mapping = bt_field_class_enumeration_unsigned_borrow_mapping_by_index_const(enumeration, i);
      const auto* const ranges = bt_field_class_enumeration_unsigned_mapping_borrow_ranges_const(mapping);
      const char* const text = bt_field_class_enumeration_mapping_get_label(
          bt_field_class_enumeration_unsigned_mapping_as_mapping_const(mapping));
      for (std::uint64_t at = 0;
           at < bt_integer_range_set_get_range_count(bt_integer_range_set_unsigned_as_range_set_const(ranges)); ++at) {
        const auto* const range = bt_integer_range_set_unsigned_borrow_range_by_index_const(ranges, at);
        add(bt_integer_range_unsigned_get_lower(range), bt_integer_range_unsigned_get_upper(range), text);
      }
    }
  }
  return labels;
}

bool is_count_of_next(const bt_field_class* structure, std::uint64_t member) {
  if (member + 1 >= bt_field_class_structure_get_member_count(structure)) return false;
  const auto* const count = bt_field_class_structure_borrow_member_by_index_const(structure, member);
  const auto* const next = bt_field_class_structure_borrow_member_by_index_const(structure, member + 1);
  const auto* const type = bt_field_class_structure_member_borrow_field_class_const(next);
  return bt_field_class_get_type(type) == BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD &&
         bt_field_class_structure_member_get_name(count) ==
             fmt::format("_{}_length", bt_field_class_structure_member_get_name(next));
}

const bt_field_class* bytes_in(const bt_field_class* structure) {
  if (bt_field_class_get_type(structure) != BT_FIELD_CLASS_TYPE_STRUCTURE) return nullptr;
  const std::uint64_t count = bt_field_class_structure_get_member_count(structure);
  if (count == 0) return nullptr;
  const auto* const last = bt_field_class_structure_borrow_member_by_index_const(structure, count - 1);
  const auto* const type = bt_field_class_structure_member_borrow_field_class_const(last);
  const bool is_named = bt_field_class_structure_member_get_name(last) == std::string_view("bytes");
  return is_named && bt_field_class_type_is(bt_field_class_get_type(type), BT_FIELD_CLASS_TYPE_ARRAY) ? type : nullptr;
}

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
    // libbabeltrace2 2.0.4 uses the field again for later events and leaves it as it is if their string is empty.
    bt_field_string_set_value(const_cast<bt_field*>(field), "");
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
