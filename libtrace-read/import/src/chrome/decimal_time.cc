#include "decimal_time.h"

#include <climits>

#include "libtrace-read/core/src/base/read_number.h"

namespace evt::chrome {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<std::int64_t> ns_of_microseconds(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const std::size_t exponent_at = text.find_first_of("eE");
  int exponent = 0;
  if (exponent_at != std::string_view::npos) {
    std::string_view digits = text.substr(exponent_at + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    exponent = read_number<int>(digits).value_or(INT_MAX);
    if (exponent < -99 || exponent > 99) return {};
    text = text.substr(0, exponent_at);
  }
  // Number of digits left before the point of nanoseconds; known once the text's own point is.
  int left = 3 + exponent;
  const std::size_t point = text.find('.');
  left += static_cast<int>(point == std::string_view::npos ? text.size() : point);
  std::uint64_t ns = 0;
  bool has_digits = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == point) continue;
    if (!is_digit(text[i])) return {};
    has_digits = true;
    if (left-- <= 0) continue;
    ns = ns * 10 + static_cast<std::uint64_t>(text[i] - '0');
    if (ns > static_cast<std::uint64_t>(kMaxNs)) return {};
  }
  if (!has_digits) return {};
  for (; left > 0 && ns > 0; --left) {
    ns *= 10;
    if (ns > static_cast<std::uint64_t>(kMaxNs)) return {};
  }
  return is_negative ? -static_cast<std::int64_t>(ns) : static_cast<std::int64_t>(ns);
}

}  // namespace evt::chrome
