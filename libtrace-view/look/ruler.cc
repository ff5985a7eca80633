#include "ruler.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace evt::view {
namespace {

// The least that is not below: at most 5e18.
std::int64_t step_of(std::uint64_t least) {
  std::uint64_t power = 1;
  for (;; power *= 10) {
    for (const std::uint64_t times : {1u, 2u, 5u}) {
      if (power * times >= least || power >= 1'000'000'000'000'000'000) return static_cast<std::int64_t>(power * times);
    }
  }
}

using Unit = std::pair<std::int64_t, const char*>;
constexpr Unit kUnits[] = {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}, {1, "ns"}};

// The largest of which this is a whole number.
Unit unit_of(std::int64_t ns) {
  return *std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& unit) { return ns % unit.first == 0; });
}

std::string text_of(std::int64_t ns, Unit unit) { return fmt::format("{} {}", ns / unit.first, unit.second); }

std::int64_t floor_to(std::int64_t ns, std::int64_t step) {
  const std::int64_t rest = ns % step;
  return ns - (rest < 0 ? rest + step : rest);
}

}  // namespace

Ruler::Ruler(const Scale& scale, std::uint32_t most_ticks) {
  const std::uint64_t most = std::max(most_ticks, 1u);
  const std::int64_t step = step_of(scale.length() / most + (scale.length() % most > 0 ? 1 : 0));
  const Unit unit = unit_of(step);
  std::int64_t zero = 0;
  if (std::max(std::abs(scale.from_ns()), std::abs(scale.to_ns())) / unit.first >= 10'000 &&
      unit.first < kUnits[0].first) {
    std::int64_t coarse = 1;
    while (static_cast<std::uint64_t>(coarse) < scale.length()) coarse *= 10;
    zero = floor_to(scale.from_ns(), coarse);
    base = text_of(zero, unit_of(zero));
  }
  for (std::int64_t ns = floor_to(scale.from_ns() - zero + step - 1, step) + zero; ns <= scale.to_ns(); ns += step) {
    ticks.push_back({ns, (base.empty() ? "" : "+") + text_of(ns - zero, unit)});
    if (scale.to_ns() - ns < step) break;
  }
}

}  // namespace evt::view
