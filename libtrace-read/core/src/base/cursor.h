// The only pointer arithmetic on bytes of a file.
#pragma once

#include <evt/little_endian.h>
#include <evt/schema.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "format-spec/src/base/varint.h"

namespace evt {

// Reads values from the start of a byte range. The first read that does not fit makes the cursor fail; a failed cursor
// is empty and every later read returns zero. So a decoder reads straight through and asks ok() once, at its end.
class Cursor {
 public:
  explicit Cursor(Bytes bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  Bytes rest() const { return rest_; }
  std::size_t size() const { return rest_.size(); }

  Bytes bytes(std::size_t size) {
    if (size > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const Bytes front = rest_.first(size);
    rest_ = rest_.subspan(size);
    return front;
  }
  // `count` elements of `width` bytes, however large their product is.
  Bytes bytes_of(std::uint64_t count, std::uint64_t width) {
    const std::uint64_t size = count * width;
    return bytes(width != 0 && (size / width != count || size > SIZE_MAX) ? SIZE_MAX : static_cast<std::size_t>(size));
  }
  std::string_view text(std::size_t size) {
    const Bytes b = bytes(size);
    return {reinterpret_cast<const char*>(b.data()), b.size()};
  }
  std::uint8_t u8() {
    const Bytes b = bytes(1);
    return b.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>(b[0]);
  }
  std::uint16_t u16() {
    const Bytes b = bytes(2);
    return b.empty() ? std::uint16_t{0} : evt_load_u16(b.data());
  }
  std::uint32_t u32() {
    const Bytes b = bytes(4);
    return b.empty() ? 0 : evt_load_u32(b.data());
  }
  std::uint64_t u64() {
    const Bytes b = bytes(8);
    return b.empty() ? 0 : evt_load_u64(b.data());
  }
  // A number of 1 to 10 bytes, as in the entries of an index.
  std::uint64_t number() {
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(rest_.data());
    std::uint64_t value = 0;
    const std::uint8_t* const behind = load_number(begin, begin + rest_.size(), &value);
    if (behind == nullptr) value = 0;
    bytes(behind == nullptr ? SIZE_MAX : static_cast<std::size_t>(behind - begin));
    return value;
  }
  std::int64_t i64() { return static_cast<std::int64_t>(u64()); }

 private:
  Bytes rest_;
  bool ok_ = true;
};

}  // namespace evt
