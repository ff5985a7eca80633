// Lines of a file, one after another, in bounded memory.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "libtrace-read/core/src/source/byte_source.h"

namespace evt::samples {

class LineReader {
 public:
  static constexpr std::size_t kMax = 256 << 10;  // bytes of a line

  explicit LineReader(ByteSource& file) : file_(file) {}

  // Returns false at the end.
  bool next();
  // Without its end; empty if it is too long. Valid until the next call.
  std::string_view line() const { return line_; }
  bool is_too_long() const { return is_too_long_; }
  std::uint64_t number() const { return number_; }  // the first is 1
  std::uint64_t offset() const { return offset_; }
  std::uint64_t size() const { return size_; }  // with its end

 private:
  std::string_view rest() const { return {buffer_.data() + at_, buffer_.size() - at_}; }
  void take(std::size_t size);
  bool fill();

  ByteSource& file_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;         // in the buffer
  std::uint64_t read_to_ = 0;  // in the file
  std::string_view line_;
  bool is_too_long_ = false;
  std::uint64_t number_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace evt::samples
