// One block of a file: its place, and what its header states.
#pragma once

#include <cstdint>

#include "format-spec/src/block/block_header.h"

namespace evt {

struct Block {
  std::uint64_t offset = 0;  // place of the header in the file
  BlockHeader header;
  EventsHeader events;  // for an EVENTS block
  // False: the header was not looked at, and the members come from an index; sizes, checksums and base are unknown.
  bool verified = true;
  // For multiplexed rows: a hash of the recorded data of their streams, which identifies it.
  std::uint64_t pieces_mark = 0;

  std::uint64_t payload_at() const { return offset + header.header_size; }
  std::uint64_t end() const { return payload_at() + header.payload_size; }
  // True if a segment of its session may begin with it, the first or a later one.
  bool begins_segment() const {
    const bool is_first = header.block_no == 0;
    const bool is_continued = (header.flags & EVT_FLAG_CONTINUED) != 0 && header.block_no != EVT_BLOCK_NO_RECOVERED;
    return header.type == EVT_BLOCK_SESSION && (is_first || is_continued);
  }
  // True if its session continues in another segment.
  bool ends_with_more() const { return header.type == EVT_BLOCK_TRAILER && (header.flags & EVT_FLAG_MORE) != 0; }
  std::uint64_t padded_end() const { return end() + padding_after(header.payload_size); }
};

}  // namespace evt
