// Reads numbers and texts out of bytes that nothing is known of.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace evt::view {

// Sticky: behind what is not there, or not written in the shortest way, all else is 0 and empty, and ok() is false.
// Refers to the bytes.
class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  void fail() {
    ok_ = false;
    rest_ = {};
  }
  std::size_t left() const { return rest_.size(); }
  bool is_at_end() const { return ok_ && rest_.empty(); }

  std::uint8_t u8() {
    if (rest_.empty()) fail();
    if (!ok_) return 0;
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  float f32() {
    std::uint32_t bits = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) bits |= std::uint32_t{u8()} << shift;
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return ok_ ? value : 0;
  }
  std::uint64_t varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; ok_; shift += 7) {
      const std::uint8_t byte = u8();
      const bool is_too_large = shift == 63 && byte > 1;
      const bool is_too_long = shift > 0 && byte == 0;
      if (is_too_large || is_too_long) break;
      number |= std::uint64_t{byte & 0x7Fu} << shift;
      if (byte < 0x80) return ok_ ? number : 0;
    }
    fail();
    return 0;
  }
  std::int64_t zigzag() {
    const std::uint64_t number = varint();
    return static_cast<std::int64_t>(number >> 1 ^ (0 - (number & 1)));
  }
  // A number up to `most`.
  std::uint64_t varint_to(std::uint64_t most) {
    const std::uint64_t number = varint();
    if (number <= most) return number;
    fail();
    return 0;
  }
  // How many there are of what takes a byte at least.
  std::size_t count() {
    const std::uint64_t number = varint();
    if (number > rest_.size()) fail();
    return ok_ ? static_cast<std::size_t>(number) : 0;
  }
  // Its size, and the text.
  std::string_view text() {
    const std::size_t size = count();
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(text.size());
    return text;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

// Numbers as LEB128, of 1 to 10 bytes; those that may be below 0 in zigzag.
inline void append_varint(std::uint64_t number, std::string* to) {
  for (; number >= 0x80; number >>= 7) to->push_back(static_cast<char>(number | 0x80));
  to->push_back(static_cast<char>(number));
}

inline void append_zigzag(std::int64_t number, std::string* to) {
  append_varint(static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63), to);
}

}  // namespace evt::view
