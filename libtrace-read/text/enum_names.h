// Names of the format's numbers in text, beyond those of <evt/names.h>: field kinds.
#pragma once

#include <evt/names.h>
#include <evt/value.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace evt {

// Kind, shape and width in one word: u32, f64[], text, bytes(16), kind77:counted16 ...
std::string field_kind_name(const Field& field);
// Fills in the three; false if there is no such word.
bool parse_field_kind(std::string_view name, Field* field);

// For suggestions.
std::vector<std::string> role_names();

// The name of a number of a list, and the words for it; the number itself, if it has none.
std::string name_of(NumberList list, std::uint16_t number);
std::string words_of(NumberList list, std::uint16_t number);

// Splits the value of a set of flags: calls with_label(text) for each label whose bits the value has, in order of their
// values, unless earlier labels covered all of them. Returns the bits that no label covers. A label that several values
// have covers none.
template <typename WithLabel>
std::uint64_t for_each_flag(const Field& field, std::uint64_t value, WithLabel with_label) {
  std::uint64_t rest = value;
  for (const Field::Label& label : field.labels) {
    const bool covers = label.value != 0 && (value & label.value) == label.value && (rest & label.value) != 0;
    if (!covers || label.text.empty() || label.shared) continue;
    with_label(label.text);
    rest &= ~label.value;
  }
  return rest;
}

}  // namespace evt
