// Finding block headers in bytes.
#pragma once

#include <evt/format.h>
#include <evt/schema.h>

#include <cstdint>

namespace evt {

inline constexpr std::size_t kNoBlock = SIZE_MAX;

// So many bytes of a file decide whether it is a trace: the first block begins within 1 MiB, and its header ends here.
inline constexpr std::size_t kFrontSize = std::size_t{EVT_FIRST_BLOCK_WITHIN} + EVT_BLOCK_HEADER_MAX;

// The offset of the next magic, of this or another header generation, at or after `from` and before `to`.
std::size_t find_magic(Bytes bytes, std::size_t from, std::size_t to);

// Like find_magic(), for a header whose checksum is right, or that is of another generation.
std::size_t find_block(Bytes bytes, std::size_t from, std::size_t to);

}  // namespace evt
