// Reads at any offset of a file: bytes, and whether they are a valid block header.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "block.h"
#include "libtrace-read/core/src/source/byte_source.h"

namespace evt {

// Refers to the source while it lives. One thread at a time, except read_at().
class HeaderReader {
 public:
  struct Probe {
    HeaderState state = HeaderState::kNotABlock;
    Block block;
    std::uint16_t checked = 0;  // bytes that a checksum was computed over
    const char* why = "";       // a good checksum, but a claim that breaks a limit

    bool is_right() const { return state == HeaderState::kGood && *why == '\0'; }
  };

  explicit HeaderReader(ByteSource& source) : source_(&source) {}

  // Looks for a header at the offset.
  Probe probe(std::uint64_t offset);
  // Reads up to `size` bytes; returns how many there were.
  std::size_t read_at(std::uint64_t offset, std::byte* out, std::size_t size);
  // Like read_at(), for what is read from front to back in pieces near to this size: many small ones with one read of
  // the file.
  std::size_t read_next(std::uint64_t offset, std::byte* out, std::size_t size, std::size_t near);

  ByteSource& source() const { return *source_; }
  std::uint64_t size() const { return source_->size(); }
  // Continues with the same file when it has grown.
  void go_on(ByteSource& source);

  // By all of these functions, and by another reader of the same file.
  std::uint64_t bytes_read() const { return bytes_read_; }
  void count_read(std::uint64_t bytes) { bytes_read_ += bytes; }

 private:
  void fill_window(std::uint64_t offset);
  bool window_has(std::uint64_t offset, std::size_t size) const;

  ByteSource* source_;
  std::atomic<std::uint64_t> bytes_read_ = 0;
  std::vector<std::byte> window_;
  std::uint64_t window_at_ = 0;
  Probe ahead_;  // the last probe, which is often requested twice
  std::uint64_t ahead_at_ = UINT64_MAX;
};

}  // namespace evt
