// Elements of JSON besides texts and brackets, the words that programs write for numbers that it lacks, and the repair
// of text that is almost JSON.
#pragma once

#include <string>
#include <string_view>

namespace evt::chrome {

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

constexpr bool is_word_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' ||
         c == '.' || c == '_' || c == '#' || c == '(' || c == ')';
}

// NaN, -inf, Infinity and the like, as printed by C, C++, Python and JavaScript.
bool is_not_finite(std::string_view word);

// Numbers that are not finite become texts of the same word, control characters in texts become escapes, a backslash
// that escapes nothing becomes two, and half a surrogate pair becomes U+FFFD. Returns false if nothing needs this.
bool mend_json(std::string_view text, std::string* mended);

}  // namespace evt::chrome
