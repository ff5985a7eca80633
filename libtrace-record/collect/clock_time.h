// What clocks of the system read.
#pragma once

#include <time.h>

#include <cstdint>

namespace evt::record {

// In ns.
inline std::int64_t now_of(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

}  // namespace evt::record
