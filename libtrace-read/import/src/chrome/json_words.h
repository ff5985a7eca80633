// Elements of JSON besides texts and brackets, and the words that programs write for numbers that it lacks.
#pragma once

#include <string_view>

namespace evt::chrome {

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

constexpr bool is_word_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' ||
         c == '.' || c == '_' || c == '#' || c == '(' || c == ')';
}

// NaN, -inf, Infinity and the like, as printed by C, C++, Python and JavaScript.
bool is_not_finite(std::string_view word);

}  // namespace evt::chrome
