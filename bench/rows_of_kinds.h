// Blocks of rows as programs make them, for what depends on their content.
#pragma once

#include <cstdint>
#include <vector>

#include "format-spec/src/columns/encoder.h"

namespace evt::bench {

struct Block {
  std::vector<std::uint8_t> rows;
  std::uint32_t count = 0;
};

// A million events each, in blocks of 256 KiB, with a clock of 2.6 GHz that is as noisy as real ones are.

// A thread starts, a thread stops.
std::vector<Block> start_stop();
// Twenty types with none to six fields each: enumerations, counters, pointers, sizes, random ids, texts of 200 names.
std::vector<Block> mixed();

// What the rows of all of these look like.
void teach(columns::Encoder& encoder);

}  // namespace evt::bench
