// Numbers in texts.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace evt {

// Parses the whole text as a decimal number; nothing if it is not one, or does not fit.
template <typename Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace evt
