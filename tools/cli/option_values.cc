#include "option_values.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdint>

namespace evt::tools {

std::function<std::string(const std::string&)> is_number(const char* what) {
  return [what](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole ? "" : fmt::format("expected {}, found {}", what, text);
  };
}

}  // namespace evt::tools
