// Ranges of a file that become something else.
#pragma once

#include <algorithm>
#include <random>
#include <string>

namespace evt::testing {

inline constexpr std::size_t kEdits = 4;

// The range is gone, this part is inserted before it or replaces it, or it is noise.
inline void edit(std::string* bytes, std::size_t which, std::size_t at, std::size_t size, const std::string& part,
                 std::mt19937& random) {
  switch (which) {
    case 0:
      bytes->erase(at, size);
      break;
    case 1:
      bytes->insert(at, part);
      break;
    case 2:
      bytes->replace(at, size, part);
      break;
    default:
      for (std::size_t i = at; i < std::min(at + size, bytes->size()); ++i) (*bytes)[i] = static_cast<char>(random());
  }
}

}  // namespace evt::testing
