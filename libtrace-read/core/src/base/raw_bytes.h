// Bytes in the types that the format's own coders use, which do without the C++ runtime.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "format-spec/src/base/buffer.h"

namespace evt {

inline const std::uint8_t* raw(const std::byte* bytes) { return reinterpret_cast<const std::uint8_t*>(bytes); }
inline std::uint8_t* raw(std::byte* bytes) { return reinterpret_cast<std::uint8_t*>(bytes); }

// The encoders' output, in the type that the rest of the reader uses.
inline std::span<const std::byte> bytes_of(const Buffer& buffer) {
  return {reinterpret_cast<const std::byte*>(buffer.data()), buffer.size()};
}

}  // namespace evt
