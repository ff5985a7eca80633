// Numbers in the largest unit that leaves at least 1.
#pragma once

#include <cstdint>
#include <string>

namespace evt::report {

// 1.24 ms, 34 ns, 2.0 h
std::string duration_with_unit(double ns);
std::string duration_text(std::uint64_t ns);
// 1.24 MB, for the unit B
std::string thousands_with_unit(double number, const char* unit);

// 1.234567890: a moment or a length, in nanoseconds.
std::string seconds_text(std::int64_t ns);

}  // namespace evt::report
