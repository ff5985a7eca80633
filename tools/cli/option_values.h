// Values of options, where what CLI11 makes of them is not enough.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace evt::tools {

// For CLI::Option::check: empty for a whole number of 64 bits, else the sentence that `what` is expected.
// CLI11 takes -1 for the largest number.
std::function<std::string(const std::string&)> is_number(const char* what);

inline constexpr const char* kSizeForms = "bytes, or 10K, 10M, 1G";
// Of kSizeForms, and not 0.
std::optional<std::uint64_t> parse_size(const std::string& text);

}  // namespace evt::tools
