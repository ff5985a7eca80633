// Values of options, where what CLI11 makes of them is not enough.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace evt::tools {

// For CLI::Option::check: empty for a whole number of 64 bits, else the sentence that `what` is expected.
// CLI11 takes -1 for the largest number.
std::function<std::string(const std::string&)> is_number(const char* what);

// The sentence about a value that is none of these names: "expected auto, always or never, found alwys; did you mean
// always?".
std::string none_of(const std::vector<std::string>& names, const std::string& found);
// For CLI::Option::check: empty for one of the names, else that sentence.
std::function<std::string(const std::string&)> is_one_of(std::vector<std::string> names);

inline constexpr const char* kSizeForms = "bytes, or 10K, 10M, 1G";
// Of kSizeForms, and not 0.
std::optional<std::uint64_t> parse_size(const std::string& text);

}  // namespace evt::tools
