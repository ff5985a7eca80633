// Values in the kernel's records.
#pragma once

#include <cstring>

namespace evt::record {

template <typename T>
T loaded(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace evt::record
