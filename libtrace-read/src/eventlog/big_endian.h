// Numbers of a GHC eventlog, which begin with their highest byte.
#pragma once

#include <cstdint>

namespace evt::eventlog {

inline std::uint16_t load_u16(const std::uint8_t* p) { return static_cast<std::uint16_t>(p[0] << 8 | p[1]); }
inline std::uint32_t load_u32(const std::uint8_t* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}
inline std::uint64_t load_u64(const std::uint8_t* p) { return std::uint64_t{load_u32(p)} << 32 | load_u32(p + 4); }

}  // namespace evt::eventlog
