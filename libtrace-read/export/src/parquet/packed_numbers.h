// Numbers as packed by Parquet: the hybrid of runs and bits, and differences (Encodings.md of Apache Parquet).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace evt {

// RLE: for levels and dictionary indexes. `width`: bits of each, 0 to 32.
void append_hybrid(std::string* to, std::span<const std::uint32_t> numbers, unsigned width);

// DELTA_BINARY_PACKED, for 64-bit numbers.
void append_deltas(std::string* to, std::span<const std::uint64_t> numbers);

// Bits that a number takes; 0 for 0.
unsigned width_of(std::uint64_t greatest);

}  // namespace evt
