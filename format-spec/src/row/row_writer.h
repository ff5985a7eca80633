// Writes consecutive rows (FORMAT.md, section 7.1).
#pragma once

#include "row_header.h"

namespace evt {

// The header of rows of one type and size, except for their time: computed once for a loop over many such rows.
class RowFront {
 public:
  // REQUIRES: a size that the header can hold: the 16-bit one unless `is_large`.
  RowFront(std::uint16_t type, std::size_t size, bool is_large)
      : word_(RowHeader::word(0, type, is_large ? std::uint16_t{0} : static_cast<std::uint16_t>(size))),
        size_(static_cast<std::uint32_t>(size)),
        is_large_(is_large) {}

  static constexpr std::size_t kMaxSmall = RowHeader::kMaxSmallRow;  // bytes of a row with the 16-bit size
  static constexpr std::size_t header_size(bool is_large) { return RowHeader::size_of(is_large); }
  std::size_t size() const { return size_; }
  void write(std::uint8_t* row, std::uint32_t delta) const {
    write_small(row, delta);
    if (is_large_) evt_store_u32(row + RowHeader::kSmall, size_);
  }
  // REQUIRES: not `is_large`.
  void write_small(std::uint8_t* row, std::uint32_t delta) const { evt_store_u64(row, word_ | delta); }

 private:
  std::uint64_t word_;
  std::uint32_t size_;
  bool is_large_;
};

// Writes into the caller's memory, which must have the room that the size functions state. One thread at a time.
class RowWriter {
 public:
  static constexpr std::size_t kTimeBaseSize = RowHeader::kSmall + EVT_TIME_BASE_PAYLOAD;
  static constexpr std::size_t kLostSize = RowHeader::kSmall + EVT_LOST_PAYLOAD;
  static constexpr std::size_t kEndSize = RowHeader::kSmall;
  static constexpr std::size_t kMaxEventFront = RowHeader::kLarge + sizeof(std::uint32_t);  // before the fields

  // Size of the row of an event of this type with `fields` bytes of fields.
  static std::size_t size_of_event(std::uint32_t number, std::size_t fields);

  explicit RowWriter(std::uint8_t* at) : at_(at) {}

  std::uint8_t* at() const { return at_; }  // after the latest row
  void time_base(std::uint64_t ticks, std::uint32_t flags);
  // `delta`: ticks from the base, as in other rows, to the last loss; `duration`: ticks since the first loss.
  void lost(std::uint32_t delta, std::uint16_t cause, std::uint64_t count, std::uint64_t duration);
  // Writes the last row of its stream.
  void end(std::uint32_t delta);
  // Writes the front of an event's row; the caller writes the fields at the result.
  std::uint8_t* event(std::uint32_t delta, std::uint32_t number, std::size_t fields);
  // Like event(), if the size is known only after the fields are written: write them at the result. `end` is after
  // them; a row that has become large moves by four bytes, for which there must be room.
  std::uint8_t* begin_event(std::uint32_t number);
  void end_event(std::uint32_t delta, std::uint32_t number, const std::uint8_t* end);

  // Gives a row another type of the same width; its fields, size and time stay. REQUIRES: neither number is wide, or
  // both are.
  static void set_number(std::uint8_t* row, std::uint32_t number);

 private:
  std::uint8_t* at_;
};

}  // namespace evt
