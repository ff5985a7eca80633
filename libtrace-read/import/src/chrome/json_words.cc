#include "json_words.h"

#include <algorithm>

namespace evt::chrome {
namespace {

// In lower case, without their sign.
constexpr std::string_view kNotFinite[] = {"nan",    "inf",    "infinity", "nan(ind)", "nan(snan)",
                                           "1.#inf", "1.#ind", "1.#qnan",  "1.#snan"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool is_not_finite(std::string_view word) {
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  return std::ranges::any_of(kNotFinite,
                             [word](std::string_view known) { return std::ranges::equal(word, known, {}, lower); });
}

}  // namespace evt::chrome
