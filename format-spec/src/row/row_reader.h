// Consecutive rows in their stored form (FORMAT.md, section 7.1).
#pragma once

#include <evt/schema.h>

#include "row_header.h"

namespace evt {

// One row. Refers to the bytes that it was found in.
struct RowView {
  Bytes bytes;  // the whole row
  Bytes payload;
  std::uint64_t ticks = 0;  // in a TIME_BASE row: without meaning
  std::uint64_t base = 0;   // time base of the row; of a TIME_BASE row: its own
  std::uint32_t delta = 0;  // from the base before
  std::uint16_t type = 0;   // as stored
  bool is_large = false;    // its header has the 32-bit size

  bool is_time_base() const { return type == EVT_ROW_TIME_BASE && payload.size() >= EVT_TIME_BASE_PAYLOAD; }
  // A TIME_BASE row that marks a deliberate step back in time.
  bool is_jump() const { return is_time_base() && (evt_load_u32(payload.data() + 8) & EVT_TIME_BASE_JUMP) != 0; }
  bool is_lost() const { return type == EVT_ROW_LOST && payload.size() >= EVT_LOST_PAYLOAD; }
  bool is_end() const { return type == EVT_ROW_END; }
  bool is_wide() const { return type == EVT_ROW_WIDE && payload.size() >= sizeof(std::uint32_t); }
  bool is_event() const { return type < EVT_TYPE_FIRST_RESERVED || is_wide(); }
  // REQUIRES: a LOST row.
  std::uint64_t lost_count() const { return evt_load_u64(payload.data()); }
  std::uint16_t lost_cause() const { return evt_load_u16(payload.data() + 8); }
  std::uint64_t lost_duration() const { return evt_load_u64(payload.data() + 10); }  // ticks, up to the row's own
  // REQUIRES: an event.
  std::uint32_t number() const { return type == EVT_ROW_WIDE ? evt_load_u32(payload.data()) : type; }
  Bytes fields() const { return type == EVT_ROW_WIDE ? payload.subspan(sizeof(std::uint32_t)) : payload; }
};

// Refers to the bytes, which need not be valid, as long as it lives. One thread at a time.
class RowReader {
 public:
  static constexpr std::size_t kMinRow = RowHeader::kSmall;  // bytes of the shortest row

  RowReader(Bytes rows, std::uint64_t base_ticks) : rest_(rows), base_(base_ticks) {}
  RowReader(const std::uint8_t* rows, std::size_t size, std::uint64_t base_ticks)
      : RowReader({reinterpret_cast<const std::byte*>(rows), size}, base_ticks) {}

  // The next row; null at the end, and if the bytes are not a row. The result is valid until the next call.
  const RowView* next() {
    if (rest_.size() < RowHeader::kSmall) return nullptr;
    const RowHeader header = RowHeader::read(rest_.data(), rest_.size());
    if (!header.fits(rest_.size())) return nullptr;
    row_.bytes = rest_.first(header.size);
    row_.payload = row_.bytes.subspan(header.header_size());
    row_.delta = header.delta;
    row_.type = header.type;
    row_.is_large = header.is_large;
    rest_ = rest_.subspan(header.size);
    if (row_.is_time_base()) base_ = evt_load_u64(row_.payload.data());
    row_.base = base_;
    row_.ticks = base_ + header.delta;
    return &row_;
  }
  // The loop for millions of rows: passes events with the small header and a number of 16 bits, from here on, up to a
  // row of any other kind; take(delta, type, payload, size) returns true to take the row, false to stop before it.
  template <typename Take>
  void each_ordinary(Take take) {
    const std::byte* row = rest_.data();
    const std::byte* const end = row + rest_.size();
    for (std::size_t left = rest_.size(); left >= RowHeader::kSmall; left = static_cast<std::size_t>(end - row)) {
      const std::uint64_t head = RowHeader::word_at(row);
      const std::uint16_t type = RowHeader::type_of(head);
      // A size below the header's (including 0, in a large row) wraps and exceeds the end as well.
      const std::size_t payload = std::size_t{RowHeader::small_size_of(head)} - RowHeader::kSmall;
      if (type >= EVT_TYPE_FIRST_RESERVED || payload > left - RowHeader::kSmall) break;
      if (!take(RowHeader::delta_of(head), type, row + RowHeader::kSmall, payload)) break;
      row += RowHeader::kSmall + payload;
    }
    rest_ = Bytes(row, end);
  }
  std::size_t left() const { return rest_.size(); }  // bytes after the latest row
  bool at_end() const { return rest_.empty(); }
  std::uint64_t base() const { return base_; }  // time base of the next row

 private:
  Bytes rest_;
  std::uint64_t base_;
  RowView row_;
};

// A deliberate step back in time is at the front of its block.
inline bool begins_with_jump(Bytes rows) {
  RowReader reader(rows, 0);
  const RowView* const first = reader.next();
  return first != nullptr && first->is_jump();
}

}  // namespace evt
