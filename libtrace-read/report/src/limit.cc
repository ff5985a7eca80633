#include "limit.h"

#include <charconv>

namespace evt::report {

std::optional<std::pair<std::string, std::uint64_t>> parse_limit(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  std::string_view rest = std::string_view(text).substr(equals + 1);
  if (rest.ends_with("/s")) rest.remove_suffix(2);
  std::pair<std::string, std::uint64_t> limit{text.substr(0, equals), 0};
  const char* const end = rest.data() + rest.size();
  const auto [unit, error] = std::from_chars(rest.data(), end, limit.second);
  if (error != std::errc() || limit.second == 0) return std::nullopt;
  if (unit == end) return limit;
  constexpr std::string_view kUnits = "kMGT";
  const std::size_t power = kUnits.find(*unit == 'K' ? 'k' : *unit);
  if (power == std::string_view::npos || unit + 1 != end) return std::nullopt;
  for (std::size_t i = 0; i <= power; ++i) {
    if (__builtin_mul_overflow(limit.second, std::uint64_t{1000}, &limit.second)) return std::nullopt;
  }
  return limit;
}

}  // namespace evt::report
