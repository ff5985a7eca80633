// Rows, one behind the other, as they are stored (FORMAT.md, section 7.1).
#pragma once

#include <evt/format.h>

#include "cursor.h"

namespace evt {

// One row. Refers to the bytes that it was found in.
struct WalkedRow {
  Bytes bytes;  // all of it
  Bytes payload;
  std::uint16_t type = 0;
  std::uint64_t ticks = 0;  // of a TIME_BASE row: of no meaning
  std::uint64_t base = 0;   // that the row counts from

  bool is_lost() const { return type == EVT_ROW_LOST && payload.size() >= EVT_LOST_PAYLOAD; }
  bool is_wide() const { return type == EVT_ROW_WIDE && payload.size() >= sizeof(std::uint32_t); }
  bool is_event() const { return type < EVT_ROW_TIME_BASE || is_wide(); }
  std::uint64_t lost_count() const { return evt_load_u64(payload.data()); }
  std::uint16_t lost_cause() const { return evt_load_u16(payload.data() + 8); }
  // Of an event.
  std::uint32_t number() const { return type == EVT_ROW_WIDE ? evt_load_u32(payload.data()) : type; }
  Bytes fields() const { return type == EVT_ROW_WIDE ? payload.subspan(sizeof(std::uint32_t)) : payload; }
};

// Refers to the bytes for its whole life.
class RowWalk {
 public:
  RowWalk(Bytes rows, std::uint64_t base) : in_(rows), base_(base) {}

  // The next row; null at the end, and where there is none. Holds until the next call.
  const WalkedRow* next() {
    const Bytes at = in_.rest();
    if (at.size() < EVT_ROW_HEADER_SIZE) return nullptr;
    const std::uint64_t head = evt_load_u64(at.data());
    auto size = static_cast<std::size_t>(head >> 48);
    std::size_t header = EVT_ROW_HEADER_SIZE;
    if (size == 0) {
      if (at.size() < EVT_BIG_ROW_HEADER_SIZE) return nullptr;
      header = EVT_BIG_ROW_HEADER_SIZE;
      size = evt_load_u32(at.data() + EVT_ROW_HEADER_SIZE);
    }
    if (size < header || size > at.size()) return nullptr;
    row_.bytes = in_.bytes(size);
    row_.payload = row_.bytes.subspan(header);
    row_.type = static_cast<std::uint16_t>(head >> 32);
    if (row_.type == EVT_ROW_TIME_BASE && row_.payload.size() >= sizeof base_ + sizeof(std::uint32_t))
      base_ = evt_load_u64(row_.payload.data());
    row_.base = base_;
    row_.ticks = base_ + static_cast<std::uint32_t>(head);
    return &row_;
  }
  // After the last row: all bytes were rows.
  bool at_end() const { return in_.size() == 0; }

 private:
  Cursor in_;
  std::uint64_t base_;
  WalkedRow row_;
};

}  // namespace evt
