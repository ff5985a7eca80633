// Events of a log -> rows, in order of time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "../byte_source.h"
#include "log_part.h"
#include "log_walk.h"

namespace evt::eventlog {

// Refers to the log and its types for its whole life. One thread at a time.
class LogRows {
 public:
  LogRows(ByteSource& log, const Dictionary& types) : log_(log), types_(types) {}

  // Makes the rows of these events, in the order of their times; those of one time stay as they are. False if the log
  // is not what it was when it was looked at.
  bool make(std::span<const Segment> segments);

  // Of the latest that were made. What a block's header says of them, but for stream and ordinal; and how many there
  // are of each type.
  Bytes rows() const { return {rows_.get(), size_}; }
  EventsHeader events() const;
  std::vector<TypeCount> counts() const;

 private:
  // An event that waits for its place.
  struct Entry {
    std::uint64_t ticks;
    const LogType* type;
    const std::uint8_t* payload;
    std::size_t payload_size;
  };

  bool read(std::span<const Segment> segments);
  void add(const LogEvent& event);
  std::uint8_t* put(const Entry& entry, std::uint64_t* base, std::uint8_t* out);
  void reserve(std::size_t size);
  void count(std::uint32_t type);

  ByteSource& log_;
  const Dictionary& types_;
  std::vector<std::byte> bytes_;
  std::vector<Entry> entries_;
  bool sorted_ = true;
  std::unique_ptr<std::byte[]> rows_;  // not a vector: nothing is gained by clearing it first
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::uint32_t row_count_ = 0;
  std::vector<std::uint32_t> counts_;  // by number
  std::vector<std::uint32_t> met_;     // numbers of which there are any
};

}  // namespace evt::eventlog
