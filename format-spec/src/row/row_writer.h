// Writes rows, one behind the other (FORMAT.md, section 7.1).
#pragma once

#include "row_header.h"

namespace evt {

// The header of rows of one type and size but for their time: what a loop over many such rows computes once.
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

// Writes into memory of the caller, who provides room for what the size functions give. One thread at a time.
class RowWriter {
 public:
  static constexpr std::size_t kTimeBaseSize = RowHeader::kSmall + EVT_TIME_BASE_PAYLOAD;
  static constexpr std::size_t kLostSize = RowHeader::kSmall + EVT_LOST_PAYLOAD;
  static constexpr std::size_t kEndSize = RowHeader::kSmall;
  static constexpr std::size_t kMaxEventFront = RowHeader::kLarge + sizeof(std::uint32_t);  // in front of the fields

  // Bytes of the row of an event of this type with `fields` bytes of fields.
  static std::size_t size_of_event(std::uint32_t number, std::size_t fields);

  explicit RowWriter(std::uint8_t* at) : at_(at) {}

  std::uint8_t* at() const { return at_; }  // behind the latest row
  void time_base(std::uint64_t ticks, std::uint32_t flags);
  // `delta`: ticks since the base, as in the other rows, when the last of them was lost; `duration`: ticks since the
  // first was.
  void lost(std::uint32_t delta, std::uint16_t cause, std::uint64_t count, std::uint64_t duration);
  // The last row of its stream.
  void end(std::uint32_t delta);
  // The front of an event's row; the caller writes the fields where the result points.
  std::uint8_t* event(std::uint32_t delta, std::uint32_t number, std::size_t fields);
  // The same when only writing the fields shows how many bytes they have: they go where the result points. `end` is
  // behind them; a row that has become large moves by four bytes, for which there must be room.
  std::uint8_t* begin_event(std::uint32_t number);
  void end_event(std::uint32_t delta, std::uint32_t number, const std::uint8_t* end);

  // Gives a row another type of the same width; its fields, size and time stay. REQUIRES: neither number is wide, or
  // both are.
  static void set_number(std::uint8_t* row, std::uint32_t number);

 private:
  std::uint8_t* at_;
};

}  // namespace evt
