// A reading position in a file of JSON, which steps over its values.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "json_check.h"
#include "libtrace-read/core/src/source/byte_source.h"

namespace evt::chrome {

// Reads the file once, from the start, except after seek(); memory is that of the kept value.
class JsonCursor {
 public:
  explicit JsonCursor(ByteSource& file) : file_(file) {}

  struct Value {
    std::string_view text;  // valid until the cursor moves; empty if it is too long
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
  };

  std::uint64_t here() const { return window_offset_ + at_; }
  void seek(std::uint64_t offset);
  // The byte here; -1 at the end of the file.
  int peek() { return at_ < size_ || fill() ? static_cast<unsigned char>(window_[at_]) : -1; }
  // Moves after the byte here, which peek() has shown.
  void pass() { ++at_; }
  bool starts_with(std::string_view text);

  // The first byte that is neither space nor a comma, see peek(). `comma` is set if there was one.
  int skip_space(bool* comma);
  // Moves after the value here, whose end brackets and quotes show; `most` bytes of it are kept. False if the file ends
  // before.
  bool take_value(std::size_t most, Value* value);
  // Moves to the value's end, or to where it stops being JSON, or by `most` bytes, and keeps `kept` of them. kGoesOn:
  // the file ends in it, or it is longer.
  JsonCheck::Result check_value(std::size_t most, std::size_t kept, Value* value);
  // True if the value checked last is an object with a key `ph`.
  bool has_phase() const { return check_.has_phase(); }

 private:
  bool fill();
  bool skip_string();
  bool skip_value();
  void keep(std::size_t most, Value* value);
  void end_kept(Value* value);

  ByteSource& file_;
  std::vector<char> window_;
  std::uint64_t window_offset_ = 0;
  std::size_t size_ = 0;  // bytes in the window
  std::size_t at_ = 0;
  // The window keeps bytes from kept_ on, while they are at most most_kept_.
  std::size_t kept_ = 0;
  std::size_t most_kept_ = 0;
  JsonCheck check_;
};

}  // namespace evt::chrome
