// Blocks that are stored in another form than rows -> their rows.
#pragma once

#include <memory>
#include <vector>

#include "block_reader.h"
#include "format-spec/src/columns/decoder.h"

struct ZSTD_DCtx_s;

namespace evt {

// Refers to the blocks while it lives. Keeps memory for the largest block so far.
class BlockDecoder {
 public:
  explicit BlockDecoder(BlockReader& blocks);
  BlockDecoder(const BlockDecoder&) = delete;
  BlockDecoder& operator=(const BlockDecoder&) = delete;
  ~BlockDecoder();

  // True if its rows are its payload.
  static bool is_plain(const Block& block) {
    return block.events.layout == EVT_LAYOUT_ROWS && block.header.codec == EVT_CODEC_NONE;
  }
  // True if this version can decode its rows.
  static bool knows(const Block& block) {
    return block.events.layout <= EVT_LAYOUT_MULTIPLEXED_COLUMNS && block.header.codec <= EVT_CODEC_ZSTD;
  }

  // Writes the rows, events.rows_size bytes, and checks both checksums. REQUIRES: a block that it knows.
  Status decode(const Block& block, std::byte* rows);
  // Unpacks frames of zstd that have so many bytes in all, into unpacked().
  Status unpack(Bytes frames, std::size_t raw_size);
  Bytes unpacked() const { return raw_; }
  // For the block that was decoded last: what precedes its rows, if they are multiplexed.
  Bytes table() const { return table_; }
  // Its payload.
  Bytes stored() const { return stored_; }

 private:
  BlockReader& blocks_;
  std::unique_ptr<ZSTD_DCtx_s, std::size_t (*)(ZSTD_DCtx_s*)> zstd_;
  std::vector<std::byte> stored_;
  std::vector<std::byte> raw_;
  Bytes table_;  // in stored_
  columns::Decoder columns_;
};

}  // namespace evt
