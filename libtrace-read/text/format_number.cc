#include "format_number.h"

#include <fmt/format.h>

#include <string>

namespace evt {
namespace {

template <typename Float>
void append(TextBuffer& out, Float number) {
  constexpr std::size_t kMax = 32;  // -2.2250738585072014e-308, and some more
  out.end_at(fmt::format_to(out.room(kMax), "{}", number));
}

}  // namespace

void append_scaled(TextBuffer& out, std::uint64_t size, bool is_negative, int scale) {
  std::string digits = std::to_string(size);
  if (scale > 0 && size != 0) digits.append(static_cast<std::size_t>(scale), '0');
  if (scale < 0) {
    const auto behind = static_cast<std::size_t>(-scale);
    if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
    digits.insert(digits.size() - behind, 1, '.');
  }
  if (is_negative) out += '-';
  out += digits;
}

void append_float(TextBuffer& out, float number) { append(out, number); }
void append_float(TextBuffer& out, double number) { append(out, number); }

}  // namespace evt
