// A trace taken apart into its blocks, so that a test can change one of them and have all else right.
#pragma once

#include <evt/format.h>
#include <evt/little_endian.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "format-spec/src/block/block_header.h"
#include "format-spec/src/block/crc32c.h"

namespace evt::testing {

// One block: its header, its payload, its padding.
struct BlockBytes {
  std::string bytes;

  std::uint8_t* data() { return reinterpret_cast<std::uint8_t*>(bytes.data()); }
  std::uint16_t type() { return evt_load_u16(data() + 8); }
  std::uint16_t header_size() { return evt_load_u16(data() + 12); }
  std::uint32_t payload_size() { return evt_load_u32(data() + 16); }
  std::uint8_t* payload() { return data() + header_size(); }

  // Makes both checksums right again.
  void seal() {
    evt_store_u32(data() + 40, crc32c(0, payload(), payload_size()));
    seal_header(data(), header_size());
  }
};

// A block of some type with this payload, for the session of the other blocks.
inline BlockBytes make_block(std::uint16_t type, std::string_view payload) {
  BlockBytes block{std::string(EVT_BLOCK_HEADER_SIZE, '\0') + std::string(payload)};
  block.bytes.append(padding_after(payload.size()), '\0');
  BlockHeader header;
  header.type = type;
  header.payload_size = header.raw_size = static_cast<std::uint32_t>(payload.size());
  store_block_header(header, block.data());
  return block;
}

// The blocks of a trace of one session.
class Blocks {
 public:
  explicit Blocks(std::string_view trace) {
    while (!trace.empty()) {
      BlockBytes block{std::string(trace)};
      std::size_t size = std::size_t{block.header_size()} + block.payload_size();
      size += padding_after(size);
      block.bytes.resize(size);
      trace.remove_prefix(size);
      all.push_back(std::move(block));
    }
  }

  // The first block of the type.
  BlockBytes& first(std::uint16_t type) {
    for (BlockBytes& block : all) {
      if (block.type() == type) return block;
    }
    return all.at(all.size());
  }
  // Puts a block in front of the first one of the type.
  void insert_before(std::uint16_t type, BlockBytes block) {
    for (auto at = all.begin(); at != all.end(); ++at) {
      if (at->type() == type) {
        all.insert(at, std::move(block));
        return;
      }
    }
  }

  // The trace that these blocks are, with the numbers, the length and the checksums that belong to them.
  std::string together() {
    std::string trace;
    const std::uint64_t session = evt_load_u64(all.at(0).data() + 24);
    for (std::size_t i = 0; i < all.size(); ++i) {
      BlockBytes& block = all[i];
      evt_store_u64(block.data() + 24, session);
      evt_store_u64(block.data() + 32, i);
      if (block.type() == EVT_BLOCK_TRAILER) evt_store_u64(block.payload() + 8, trace.size() + block.bytes.size());
      block.seal();
      trace += block.bytes;
    }
    return trace;
  }

  std::vector<BlockBytes> all;
};

// Where the fixed part of a SESSION block is in its payload.
inline std::uint8_t* session_fixed_part(BlockBytes& session) {
  const std::string_view text(reinterpret_cast<const char*>(session.payload()), session.payload_size());
  return session.payload() + (text.find('\n') + EVT_ALIGNMENT) / EVT_ALIGNMENT * EVT_ALIGNMENT;
}

}  // namespace evt::testing
