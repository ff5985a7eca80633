// When a session repeats its metadata (FORMAT.md, section 6): every so many bytes, and in proportion where it is large.
#pragma once

#include <evt/format.h>

#include <cstdint>

namespace evt {

constexpr bool is_metadata(std::uint16_t type) {
  return (type >= EVT_BLOCK_SESSION && type <= EVT_BLOCK_STRINGS) || type == EVT_BLOCK_FACTS;
}

// Bytes of a session up to the next repeat of so much metadata, which is due after `least` where it is not large.
constexpr std::uint64_t bytes_to_repeat(std::uint64_t metadata, std::uint64_t least) {
  const std::uint64_t large = metadata * EVT_REPEAT_METADATA_RATIO;
  return large > EVT_REPEAT_METADATA_EVERY && large > least ? large : least;
}

}  // namespace evt
