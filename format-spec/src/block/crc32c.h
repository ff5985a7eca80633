// CRC-32C (Castagnoli, reflected polynomial 0x82F63B78), the checksum of every block.
#pragma once

#include <cstddef>
#include <cstdint>

namespace evt {

// The CRC of `size` bytes that follow bytes whose CRC is `crc` (0 at the start).
std::uint32_t crc32c(std::uint32_t crc, const void* data, std::size_t size);

// Like crc32c(), always by table, for processors without the instruction and for the test that compares the two.
std::uint32_t crc32c_by_table(std::uint32_t crc, const void* data, std::size_t size);

}  // namespace evt
