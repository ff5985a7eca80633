// Where a ruler has its ticks, and what they are called.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libtrace-view/rows/scale.h"

namespace evt::view {

struct RulerTick {
  std::int64_t ns = 0;
  std::string text;
};

// Ticks are 1, 2 or 5 times a power of ten apart. Where times are long and ticks are close, the texts are of the time
// since `base`, which is named once: "60 ms", and at the ticks "+50 us".
struct Ruler {
  std::string base;  // empty: ticks have their whole time
  std::vector<RulerTick> ticks;

  Ruler(const Scale& scale, std::uint32_t most_ticks);
};

}  // namespace evt::view
