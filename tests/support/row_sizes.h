// The sizes of a row's header by FORMAT.md, section 7.1. Tests do not take them from the code that they test.
#pragma once

#include <cstddef>

namespace evt::testing {

inline constexpr std::size_t kRowHeader = 8;
inline constexpr std::size_t kLargeRowHeader = 12;  // of a row that has more than 65535 bytes

}  // namespace evt::testing
