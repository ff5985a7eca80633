// Upper and lower case of ASCII.
#pragma once

#include <string>
#include <string_view>

namespace evt {

inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

}  // namespace evt
