// Units of time.
#pragma once

#include <evt/schema.h>

#include <cstdint>

namespace evt {

// How many nanoseconds one is; 0: it is no unit of time.
constexpr std::uint64_t ns_in(Unit unit) {
  switch (unit) {
    case Unit::kNanoseconds:
      return 1;
    case Unit::kMicroseconds:
      return 1'000;
    case Unit::kMilliseconds:
      return 1'000'000;
    case Unit::kSeconds:
      return 1'000'000'000;
    default:
      return 0;
  }
}

}  // namespace evt
