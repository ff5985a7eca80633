// The front of a row (FORMAT.md, section 7.1): a u32 of ticks since the base, a u16 type, a u16 size. A size of 0 means
// that a u32 size follows: the row is large.
//
// For the files of this folder, and for two places that RowReader and RowWriter cannot serve: the writer's emit, whose
// rows grow in place (emit.h repeats these numbers for C, and evt_emit.cc compares them), and StreamRows, which looks
// at the front of rows whose end was not read yet.
#pragma once

#include <evt/format.h>
#include <evt/little_endian.h>

#include <cstddef>
#include <cstdint>

namespace evt {

struct RowHeader {
  static constexpr std::size_t kSmall = 8;
  static constexpr std::size_t kLarge = 12;
  static constexpr std::size_t kMaxSmallRow = 0xFFFF;

  std::uint32_t delta = 0;
  std::uint16_t type = 0;
  bool is_large = false;
  std::size_t size = 0;  // the whole row's; 0: the bytes end inside the header

  // The first eight bytes as one number, which is cheaper to split and to write than three.
  static std::uint64_t word_at(const void* row) { return evt_load_u64(row); }
  static constexpr std::uint64_t word(std::uint32_t delta, std::uint16_t type, std::uint16_t small_size) {
    return delta | std::uint64_t{type} << 32 | std::uint64_t{small_size} << 48;
  }
  static constexpr std::uint32_t delta_of(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
  static constexpr std::uint16_t type_of(std::uint64_t word) { return static_cast<std::uint16_t>(word >> 32); }
  static constexpr std::uint16_t small_size_of(std::uint64_t word) { return static_cast<std::uint16_t>(word >> 48); }
  static std::uint32_t large_size_at(const void* row) {
    return evt_load_u32(static_cast<const std::uint8_t*>(row) + kSmall);
  }

  static constexpr std::size_t size_of(bool is_large) { return is_large ? kLarge : kSmall; }
  std::size_t header_size() const { return size_of(is_large); }

  // REQUIRES: at least kSmall bytes.
  static RowHeader read(const void* row, std::size_t bytes) {
    const std::uint64_t head = word_at(row);
    RowHeader header{delta_of(head), type_of(head), false, small_size_of(head)};
    if (header.size == 0) [[unlikely]] {
      header.is_large = true;
      if (bytes >= kLarge) header.size = large_size_at(row);
    }
    return header;
  }
  // True if a row of at most `bytes` can begin with this header.
  bool fits(std::uint64_t bytes) const { return size >= header_size() && size <= bytes; }

  // REQUIRES: room for the header; a size that the small header can hold unless `is_large`.
  void write(void* row) const {
    evt_store_u64(row, word(delta, type, is_large ? std::uint16_t{0} : static_cast<std::uint16_t>(size)));
    if (is_large) evt_store_u32(static_cast<std::uint8_t*>(row) + kSmall, static_cast<std::uint32_t>(size));
  }
};

}  // namespace evt
