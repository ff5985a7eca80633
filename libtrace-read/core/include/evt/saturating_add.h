// Adds numbers that a trace claims, whose sum may exceed the largest number.
#pragma once

#include <evt/cpp20.h>

#include <cstdint>

namespace evt {

// Adds, and saturates at the largest number.
inline void saturating_add(std::uint64_t* to, std::uint64_t more) {
  if (__builtin_add_overflow(*to, more, to)) *to = UINT64_MAX;
}

}  // namespace evt
