// Microseconds as JSON has them -> nanoseconds, exactly: no double is in between.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace evt::chrome {

inline constexpr std::int64_t kMaxNs = std::int64_t{1} << 61;  // 73 years

// What is finer than a nanosecond is left out. Nothing for what is no number, or more than kMaxNs either way.
std::optional<std::int64_t> ns_of_microseconds(std::string_view text);

}  // namespace evt::chrome
