// Numbers as LEB128, of 1 to 10 bytes; those that may be below 0 in zigzag.
#pragma once

#include <cstdint>
#include <string>

namespace evt::view {

inline void append_varint(std::uint64_t number, std::string* to) {
  for (; number >= 0x80; number >>= 7) to->push_back(static_cast<char>(number | 0x80));
  to->push_back(static_cast<char>(number));
}

inline void append_zigzag(std::int64_t number, std::string* to) {
  append_varint(static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63), to);
}

}  // namespace evt::view
