// Names of files with a number of six digits, or of more without a zero in front: FRONT000042BACK.
#pragma once

#include <string.h>

#include <cstddef>
#include <cstdint>

namespace evt {

inline constexpr std::size_t kNumberDigits = 6;

// Returns false if it is no such name.
inline bool number_in_name(const char* name, const char* front, const char* back, std::uint64_t* number) {
  constexpr std::size_t kMaxDigits = 18;
  const std::size_t length = strlen(name);
  const std::size_t before = strlen(front);
  const std::size_t after = strlen(back);
  if (length < before + kNumberDigits + after || length > before + kMaxDigits + after) return false;
  if (strncmp(name, front, before) != 0 || strcmp(name + length - after, back) != 0) return false;
  *number = 0;
  for (const char* p = name + before; p < name + length - after; ++p) {
    if (*p < '0' || *p > '9') return false;
    *number = *number * 10 + static_cast<std::uint64_t>(*p - '0');
  }
  return length == before + kNumberDigits + after || name[before] != '0';
}

}  // namespace evt
