// Events of a log, and what of it is lost -> rows, in order of time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "libtrace-read/core/src/source/byte_source.h"
#include "log_part.h"
#include "log_walk.h"

namespace evt::eventlog {

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
