// Numbers with the largest unit of which there is one at least.
#pragma once

#include <cstdint>
#include <string>

namespace evt::report {

// 1.24 ms, 34 ns, 2.0 h
std::string duration_with_unit(double ns);
std::string duration_text(std::uint64_t ns);
// 1.24 MB, of a unit that is B
std::string thousands_with_unit(double number, const char* unit);

// 1.234567890: of a moment, or of a length, in nanoseconds.
std::string seconds_text(std::int64_t ns);

}  // namespace evt::report
