// The fact of a type of events of role sample, each of which stands for an unknown number of samples (REGISTRY.md).
#pragma once

#include <string_view>

namespace evt {

inline constexpr std::string_view kSumsOfSamples = "evt.sums_of_samples";

}  // namespace evt
