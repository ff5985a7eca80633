// Bytes that come from a sender -> blocks whose checksums are right.
#pragma once

#include <evt/status.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "format-spec/src/block/block_header.h"

namespace evt::tools {

class BlockStream {
 public:
  struct Block {
    BlockHeader header;
    std::span<const std::byte> bytes;  // the header and the payload
  };

  // Where to read the next bytes to, as many as the block in progress lacks, but no fewer than kLeast.
  std::span<std::byte> room();
  void received(std::size_t size) { end_ += size; }
  // The first whole block; null: more bytes are needed, or status() is not ok. Valid until room() or pop().
  const Block* front();
  void pop();
  // Ok, or what of these bytes is no block.
  const Status& status() const { return status_; }
  // A block has begun and is not whole.
  bool is_inside() const { return end_ > begin_; }
  // For the block in progress, as far as it was received.
  std::size_t memory() const { return buffer_.capacity(); }

 private:
  static constexpr std::size_t kLeast = 64 << 10;
  static constexpr std::size_t kMostUnused = 1 << 20;

  void skip_padding();
  bool has_header();
  Status refuse(std::string reason) const;

  std::vector<std::byte> buffer_;
  std::size_t begin_ = 0;  // of the first block in it
  std::size_t end_ = 0;    // of what was received
  std::size_t padding_ = 0;
  std::uint64_t offset_ = 0;  // of begin_ in all that came
  std::size_t size_ = 0;      // of the block; 0: its header is not there
  bool is_whole_ = false;
  Block block_;
  Status status_;
};

}  // namespace evt::tools
