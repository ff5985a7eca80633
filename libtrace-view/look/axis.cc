#include "axis.h"

#include <algorithm>
#include <cmath>

#include "texts.h"

namespace evt::view {
namespace {

constexpr double kLeastApart = 0.3;  // that texts do not touch

}  // namespace

std::vector<AxisTick> axis_of(const Track& track) {
  const auto [low, high] = value_range(track.values);
  const auto [least, largest] = met_values(track.values);
  std::vector<AxisTick> ticks;
  for (const double value : {largest, 0.0, least}) {
    const double part = high > low ? (value - low) / (high - low) : 0;
    const bool has_room = std::all_of(ticks.begin(), ticks.end(),
                                      [&](const AxisTick& each) { return std::abs(each.part - part) >= kLeastApart; });
    if (has_room) ticks.push_back({part, value == 0 ? "0" : short_number(value, track.unit)});
  }
  return ticks;
}

std::string range_text(const Track& track) {
  const auto [least, largest] = met_values(track.values);
  return short_number(least) + " to " + short_number(largest, track.unit);
}

}  // namespace evt::view
