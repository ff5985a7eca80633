#include "number_with_unit.h"

#include <evt/text/text_buffer.h>
#include <fmt/core.h>

#include <array>
#include <cmath>
#include <utility>

#include "text_syntax.h"

namespace evt::report {
namespace {

// Three digits that matter.
template <std::size_t kCount>
std::string with_unit(double number, const std::array<std::pair<double, const char*>, kCount>& units) {
  for (const auto& [size, name] : units) {
    if (std::abs(number) < size && size != units.back().first) continue;
    const double shown = number / size;
    const bool whole = size == 1 && shown == std::floor(shown);
    const int digits = whole ? 0 : std::abs(shown) < 9.995 ? 2 : std::abs(shown) < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f}{}", shown, digits, name);
  }
  return "";
}

}  // namespace

std::string duration_with_unit(double ns) {
  static constexpr std::array<std::pair<double, const char*>, 6> kUnits = {
      {{3600e9, " h"}, {60e9, " min"}, {1e9, " s"}, {1e6, " ms"}, {1e3, " us"}, {1, " ns"}}};
  return with_unit(ns, kUnits);
}

std::string seconds_text(std::int64_t ns) {
  return text_from([ns](TextBuffer& out) { append_seconds(out, ns); });
}

std::string duration_text(std::uint64_t ns) { return duration_with_unit(static_cast<double>(ns)); }

std::string thousands_with_unit(double number, const char* unit) {
  static constexpr std::array<std::pair<double, const char*>, 5> kUnits = {
      {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}, {1, " "}}};
  return with_unit(number, kUnits) + unit;
}

}  // namespace evt::report
