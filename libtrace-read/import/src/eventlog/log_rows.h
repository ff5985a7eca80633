// Events of a log, and what of it is lost -> rows, in order of time.
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

// The events of a log, one behind the other.
struct LogEvent {
  const LogType* type = nullptr;
  std::uint64_t ticks = 0;  // nanoseconds since the runtime system started
  const std::uint8_t* payload = nullptr;
  std::size_t payload_size = 0;
  std::size_t size = 0;   // of all of it
  std::uint16_t cap = 0;  // if payloads have it
};

enum class Found : std::uint8_t {
  kEvent,
  kShort,       // it goes on behind these bytes
  kUndeclared,  // of a type that the log does not declare: its size is unknown
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

// Events of one capability that stand one behind the other; or a loss: what of it cannot be read between two of these.
struct Segment {
  static constexpr std::uint64_t kLoss = std::uint64_t{1} << 63;

  std::uint64_t offset = 0;  // of a loss its time
  std::uint64_t size = 0;    // of a loss kLoss and how many events it is

  bool is_loss() const { return size >= kLoss; }
  std::uint64_t lost() const { return size - kLoss; }
  std::uint64_t bytes() const { return is_loss() ? 0 : size; }
};

// What of a log becomes one block of rows.
struct Part {
  std::uint32_t first_segment = 0;  // of LogScan's
  std::uint32_t segment_count = 0;
  EventsHeader events;
  std::vector<TypeCount> counts;
  std::uint64_t lost = 0;  // events that its rows tell of
};

// Refers to the log and its types while it lives. One thread at a time.
class LogRows {
 public:
  LogRows(ByteSource& log, const Dictionary& types) : log_(log), types_(types), counts_(types.types().size()) {}

  // Makes the rows of these events, in the order of their times; those of one time stay as they are. False if the log
  // is not what it was when it was looked at.
  bool make(std::span<const Segment> segments);

  // Of the latest that were made. events(): their block's header, but for what came before in their stream; counts():
  // how many there are of each type; lost(): how many events they record as lost.
  Bytes rows() const { return {rows_.get(), size_}; }
  EventsHeader events() const;
  std::vector<TypeCount> counts() const;
  std::uint64_t lost() const { return lost_; }

 private:
  // A loss of `count` events, and where it is among the bytes that are read.
  struct Loss {
    std::size_t at;
    std::uint64_t ticks;
    std::uint64_t count;
  };
  // A row that an event which comes late may have to pass.
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
  std::vector<LogEvent> events_;       // when they have to be sorted
  std::unique_ptr<std::byte[]> rows_;  // not a vector: nothing is gained by clearing it first
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
  std::vector<std::uint32_t> counts_;  // by place of the type
};

}  // namespace evt::eventlog
