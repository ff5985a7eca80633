// How much of a resource there is, as users write it in an option.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace evt::report {

// KIND=AMOUNT/s, such as disk=100M/s: k or K, M, G and T are thousands; the /s may be left out.
std::optional<std::pair<std::string, std::uint64_t>> parse_limit(const std::string& text);

}  // namespace evt::report
