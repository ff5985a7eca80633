// The value of a set of flags, bit by bit.
#pragma once

#include <evt/value.h>

namespace evt {

// Calls with_label(text) for each label whose bits the value has, in order of their values, unless all of them were
// covered by labels before; returns the bits that no label covers. A label that several values have covers none.
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
