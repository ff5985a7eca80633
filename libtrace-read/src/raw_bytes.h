// Bytes as the format's own coders, which know no C++ runtime, take them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace evt {

inline const std::uint8_t* raw(const std::byte* bytes) { return reinterpret_cast<const std::uint8_t*>(bytes); }
inline std::uint8_t* raw(std::byte* bytes) { return reinterpret_cast<std::uint8_t*>(bytes); }

}  // namespace evt
