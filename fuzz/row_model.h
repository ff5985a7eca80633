// What the rows of an EVENTS block must come out as, apart from the reader that is tested.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "blocks.h"
#include "tests/support/row_sizes.h"

namespace fuzz {

inline constexpr std::uint32_t kMaxClosely = 5'000;  // rows that are looked at one by one

// A row as it must come out.
struct Row {
  enum Kind : std::uint8_t { kEvent, kLost, kJump };

  std::uint64_t key;  // that orders it
  std::uint32_t stream;
  std::uint64_t ordinal;
  Kind kind;
  std::uint32_t type;
  std::uint64_t ticks;
  std::string payload;

  auto operator<=>(const Row&) const = default;
};

// FORMAT.md, section 7.1, as plainly as can be.
class Model {
 public:
  explicit Model(const evt::EventsHeader& events)
      : events_(events), base_(events.base_ticks), key_(events.first_ticks) {}

  void read(const std::string& bytes) {
    for (std::size_t at = 0; read_ < events_.row_count; ++read_) {
      const std::size_t left = bytes.size() - at;
      if (left < evt::testing::kRowHeader) return;
      const std::uint8_t* const p = raw(bytes) + at;
      std::size_t header = evt::testing::kRowHeader;
      std::size_t size = evt_load_u16(p + 6);
      if (size == 0) {
        header = evt::testing::kLargeRowHeader;
        size = left >= header ? evt_load_u32(p + evt::testing::kRowHeader) : 0;
      }
      if (size < header || size > left) return;
      add(evt_load_u32(p), evt_load_u16(p + 4), bytes.substr(at + header, size - header));
      at += size;
    }
  }
  std::uint32_t rows_read() const { return read_; }
  std::vector<Row>& shown() { return shown_; }

 private:
  void add(std::uint32_t delta, std::uint32_t type, std::string payload) {
    if (type == EVT_ROW_TIME_BASE) {
      if (payload.size() < EVT_TIME_BASE_PAYLOAD) return;
      base_ = evt_load_u64(payload.data());
      jump_ = jump_ || (read_ == 0 && (evt_load_u32(payload.data() + 8) & EVT_TIME_BASE_JUMP) != 0);
      return;
    }
    const std::uint64_t ticks = base_ + delta;
    key_ = std::max(key_, ticks);
    Row::Kind kind = Row::kEvent;
    if (type == EVT_ROW_WIDE) {
      if (payload.size() < 4) return;
      type = evt_load_u32(payload.data());
      if (type >= EVT_TYPE_FIRST_RESERVED && type <= 0xFFFF) return;
      payload.erase(0, 4);
    } else if (type == EVT_ROW_LOST) {
      if (payload.size() < EVT_LOST_PAYLOAD) return;
      kind = Row::kLost;
    } else if (type >= EVT_TYPE_FIRST_RESERVED) {
      return;
    }
    const std::uint64_t ordinal = events_.first_ordinal + read_;
    if (read_ >= kMaxClosely) return;
    if (jump_) shown_.push_back({key_, events_.stream_id, ordinal, Row::kJump, 0, ticks, ""});
    jump_ = false;
    shown_.push_back(
        {key_, events_.stream_id, ordinal, kind, kind == Row::kEvent ? type : 0, ticks, std::move(payload)});
  }

  const evt::EventsHeader& events_;
  std::uint64_t base_;
  std::uint64_t key_;
  bool jump_ = false;
  std::uint32_t read_ = 0;
  std::vector<Row> shown_;
};

// How many rows there are, one behind the other.
inline std::uint32_t count_rows(const std::string& bytes) {
  evt::EventsHeader any;
  any.row_count = UINT32_MAX;
  Model model(any);
  model.read(bytes);
  return model.rows_read();
}

}  // namespace fuzz
