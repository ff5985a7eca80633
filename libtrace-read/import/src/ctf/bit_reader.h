// Numbers and texts at any bit of a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "field_class.h"
#include "libtrace-read/core/src/source/byte_source.h"

namespace evt::ctf {

// Mostly reads forward; memory is one window. False means that the request goes beyond end(): the position is then
// unspecified.
class BitReader {
 public:
  explicit BitReader(ByteSource& file) : file_(file), window_(kWindow) {}

  std::uint64_t at() const { return at_; }  // bits from the start of the file
  std::uint64_t end() const { return end_; }
  void set_end(std::uint64_t bit) { end_ = bit; }
  // A packet begins at this bit: alignment is counted from there.
  void begin_packet(std::uint64_t bit) { packet_ = at_ = bit; }

  // `bits`: a power of two.
  bool align(std::uint64_t bits);
  bool skip(std::uint64_t bits);
  // 1 to 64 bits, zero-extended.
  bool number(std::uint32_t bits, ByteOrder order, std::uint64_t* number);
  // LEB128 of at most 64 bits, extended according to its sign.
  bool variable_number(bool is_signed, std::uint64_t* number);
  // Bytes up to a byte 0, which is not appended; at most the first `most`.
  bool text(std::size_t most, std::string* out);
  // Like text() for so many bytes, from a whole byte on.
  bool bytes(std::uint64_t count, std::size_t most, std::string* out);

 private:
  static constexpr std::size_t kWindow = 64 << 10;

  bool has(std::uint64_t bits) const { return at_ <= end_ && bits <= end_ - at_; }
  const std::uint8_t* peek(std::uint64_t byte, std::size_t count);
  std::size_t peek_some(std::uint64_t byte, std::uint64_t most, const std::uint8_t** bytes);

  ByteSource& file_;
  std::vector<std::byte> window_;
  std::uint64_t window_at_ = 0;  // bytes
  std::size_t window_size_ = 0;
  std::uint64_t packet_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace evt::ctf
