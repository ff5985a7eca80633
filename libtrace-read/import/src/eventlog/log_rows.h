// Events of a log, and its losses -> rows, in order of time.
#pragma once

#include <evt/session.h>

#include <memory>
#include <span>
#include <vector>

#include "format-spec/src/block/block_header.h"
#include "libtrace-read/core/src/source/byte_source.h"
#include "log_header.h"
#include "log_type.h"

namespace evt::eventlog {

// One of the consecutive events of the log.
struct LogEvent {
  const LogType* type = nullptr;
  std::uint64_t ticks = 0;  // nanoseconds since the runtime system started
  const std::uint8_t* payload = nullptr;
  std::size_t payload_size = 0;
  std::size_t size = 0;   // the whole event's
  std::uint16_t cap = 0;  // if payloads have it
};

enum class Found : std::uint8_t {
  kEvent,
  kShort,       // it continues after these bytes
  kUndeclared,  // a type that the log does not declare: its size is unknown
  kEnd,         // the mark that ends the events
};

inline Found read_event(const Dictionary& types, const std::uint8_t* p, std::size_t left, LogEvent* event) {
  constexpr std::size_t kHead = 10;  // u16 type, u64 time
  if (left < 2) return Found::kShort;
  const std::uint16_t id = load_u16(p);
  if (id == kEndOfData) return Found::kEnd;
  const LogType* const type = types.find(id);
  if (type == nullptr) return Found::kUndeclared;
  std::size_t head = kHead;
  std::size_t size = type->size();
  if (type->is_variable()) {
    head += 2;
    if (left < head) return Found::kShort;
    size = load_u16(p + kHead);
  } else if (types.caps_in_payloads()) {
    head += 2;
  }
  if (left < head + size) return Found::kShort;
  event->type = type;
  event->ticks = load_u64(p + 2);
  event->payload = p + head;
  event->payload_size = size;
  event->size = head + size;
  event->cap = types.caps_in_payloads() && !type->is_variable() ? load_u16(p + kHead) : std::uint16_t{0};
  return Found::kEvent;
}

// Consecutive events of one capability; or a loss: bytes between two of these that cannot be read.
struct Segment {
  static constexpr std::uint64_t kLoss = std::uint64_t{1} << 63;

  std::uint64_t offset = 0;  // for a loss its time
  std::uint64_t size = 0;    // for a loss kLoss plus the number of events

  bool is_loss() const { return size >= kLoss; }
  std::uint64_t lost() const { return size - kLoss; }
  std::uint64_t bytes() const { return is_loss() ? 0 : size; }
};

// The part of a log that becomes one block of rows.
struct Part {
  std::uint32_t first_segment = 0;  // in LogScan's
  std::uint32_t segment_count = 0;
  EventsHeader events;
  std::vector<TypeCount> counts;
  std::uint64_t lost = 0;  // events that its rows record
};

// Refers to the log and its types while it lives. One thread at a time.
class LogRows {
 public:
  LogRows(ByteSource& log, const Dictionary& types) : log_(log), types_(types), counts_(types.types().size()) {}

  // Makes the rows of these events, in the order of their times; those of one time keep their order. Returns false if
  // the log has changed since it was looked at.
  bool make(std::span<const Segment> segments);

  // For the rows made last. events(): their block's header, except for earlier data of their stream; counts(): number
  // of each type; lost(): number of events that they record as lost.
  Bytes rows() const { return {rows_.get(), size_}; }
  EventsHeader events() const;
  std::vector<TypeCount> counts() const;
  std::uint64_t lost() const { return lost_; }

 private:
  // A loss of `count` events, and its place among the bytes that are read.
  struct Loss {
    std::size_t at;
    std::uint64_t ticks;
    std::uint64_t count;
  };
  // A row that a late event may have to pass.
  struct Recent {
    std::uint64_t ticks;
    std::size_t at;
  };
  static constexpr std::size_t kRecent = 64;  // a power of two

  bool read(std::span<const Segment> segments);
  template <typename Take>
  bool each_event(Take take);
  bool make_in_order(bool* in_order);
  bool make_sorted();
  void begin(std::uint64_t base);
  std::uint8_t* begin_row(std::uint64_t ticks);
  void end_row(std::uint64_t ticks, const std::uint8_t* row, const std::uint8_t* end);
  void put(const LogEvent& event);
  void put_event(const LogEvent& event);
  void put_loss(std::uint64_t ticks, std::uint64_t count);
  bool move_back(std::uint64_t ticks, std::size_t at);
  void reserve(std::size_t bytes);

  ByteSource& log_;
  const Dictionary& types_;
  std::vector<std::byte> bytes_;
  std::vector<Loss> losses_;           // among them
  std::vector<LogEvent> events_;       // if they have to be sorted
  std::unique_ptr<std::byte[]> rows_;  // not a vector, because clearing it first would be wasted
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t first_ticks_ = 0;
  std::uint64_t latest_ticks_ = 0;
  std::uint32_t row_count_ = 0;
  std::uint32_t time_bases_ = 0;
  std::uint32_t losses_put_ = 0;
  std::uint64_t lost_ = 0;
  Recent recent_[kRecent] = {};
  std::size_t recent_count_ = 0;       // since the latest time base
  std::vector<std::uint32_t> counts_;  // by index of the type
};

}  // namespace evt::eventlog
