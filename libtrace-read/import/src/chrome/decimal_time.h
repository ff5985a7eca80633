// Microseconds in JSON -> nanoseconds, exactly, without a double in between.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace evt::chrome {

inline constexpr std::int64_t kMaxNs = std::int64_t{1} << 61;  // 73 years

// Fractions of a nanosecond are dropped. Nothing for anything but a number, or beyond kMaxNs either way.
std::optional<std::int64_t> ns_of_microseconds(std::string_view text);

}  // namespace evt::chrome
