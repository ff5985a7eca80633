// Whole numbers as sentences have them.
#pragma once

#include <cstdint>
#include <string>

namespace evt::tools {

// 4978224 as 4,978,224.
inline std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

}  // namespace evt::tools
