// One block of a file: where it is, and what its header states.
#pragma once

#include <cstdint>

#include "format-spec/src/block/block_header.h"

namespace evt {

struct Block {
  std::uint64_t offset = 0;  // of the header in the file
  BlockHeader header;
  EventsHeader events;  // of an EVENTS block
  // False: the header was not looked at, and what is here is from an index; sizes, checksums and base are not known.
  bool verified = true;
  // Of multiplexed rows: a mark of what was recorded of their streams, by which it is recognized.
  std::uint64_t pieces_mark = 0;

  std::uint64_t payload_at() const { return offset + header.header_size; }
  std::uint64_t end() const { return payload_at() + header.payload_size; }
  std::uint64_t padded_end() const { return end() + padding_after(header.payload_size); }
};

}  // namespace evt
