// Rows byte by byte, right and wrong ones.
#pragma once

#include <evt/format.h>
#include <evt/schema.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace evt::testing {

// A number as it is in a file.
inline std::string le(std::uint64_t value, std::size_t width) {
  std::string bytes;
  for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(value >> 8 * i);
  return bytes;
}
inline std::string le8(std::uint64_t v) { return le(v, 1); }
inline std::string le16(std::uint64_t v) { return le(v, 2); }
inline std::string le32(std::uint64_t v) { return le(v, 4); }
inline std::string le64(std::uint64_t v) { return le(v, 8); }

inline std::string chars_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// The rows of one EVENTS block.
class Rows {
 public:
  // Bytes that are, or pretend to be, this many rows.
  Rows& raw(std::string_view bytes, std::uint32_t rows = 1) {
    bytes_ += bytes;
    count_ += rows;
    return *this;
  }
  Rows& row(std::uint32_t delta, std::uint16_t type, std::string_view payload) {
    return raw(le32(delta) + le16(type) + le16(8 + payload.size()) + std::string(payload));
  }
  Rows& big_row(std::uint32_t delta, std::uint16_t type, std::string_view payload) {
    return raw(le32(delta) + le16(type) + le16(0) + le32(12 + payload.size()) + std::string(payload));
  }
  // An event of type 1024, `tick n=...` of an ordinary trace: 16 bytes.
  Rows& tick(std::uint32_t delta, std::uint64_t n) { return row(delta, 1024, le64(n)); }
  Rows& wide(std::uint32_t delta, std::uint32_t type, std::string_view payload) {
    return row(delta, EVT_ROW_WIDE, le32(type) + std::string(payload));
  }
  Rows& time_base(std::uint64_t base, std::uint32_t flags = 0) {
    return row(0, EVT_ROW_TIME_BASE, le64(base) + le32(flags));
  }
  // `more`: what a later version puts behind it.
  Rows& lost(std::uint32_t delta, std::uint64_t count, std::uint16_t cause, std::uint64_t duration = 0,
             std::string_view more = "") {
    lost_ += count;
    return row(delta, EVT_ROW_LOST, le64(count) + le16(cause) + le64(duration) + std::string(more));
  }

  const std::string& bytes() const { return bytes_; }
  std::uint32_t count() const { return count_; }
  std::uint64_t lost_count() const { return lost_; }

 private:
  std::string bytes_;
  std::uint32_t count_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace evt::testing
