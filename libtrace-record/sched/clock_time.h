// What clocks of the system read.
#pragma once

#include <time.h>

#include <cstdint>

namespace evt::record {

// In ns; 0 of one that cannot be read.
inline std::int64_t now_of(clockid_t clock) {
  timespec now;
  if (clock_gettime(clock, &now) != 0) return 0;
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace evt::record
