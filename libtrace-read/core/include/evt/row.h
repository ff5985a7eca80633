// A row in the reader's memory: small, and side by side, as it is memory that ordering waits for. Part of
// <evt/event.h>, which shows it to users; not for use by itself.
#pragma once

#include <evt/cpp20.h>

#include <cstddef>
#include <cstdint>

#pragma GCC visibility push(default)
namespace evt {

class ClockMap;
class EventType;
struct StreamInfo;

namespace rows {

// The payload lies in a block that the reader keeps as long as the row can be seen.
struct Row {
  const std::byte* payload;
  std::uint64_t ticks;
  const EventType* type;
  std::uint32_t payload_size;
  std::uint32_t piece;  // what it has in common with its neighbours
};

// Rows of one stream, one behind the other in one block.
struct Piece {
  const StreamInfo* stream;
  const ClockMap* clock;
  std::uint64_t ordinal;  // that the first row of all would have, if it were one of them
  std::uint64_t stamp;    // of a row by itself, whose stamp was impossible; else 0
};

// Rows whose order is known.
struct Ordered {
  static constexpr unsigned kIndexBits = 12;
  static constexpr std::size_t kMax = std::size_t{1} << kIndexBits;

  // Which row is next: its place in `rows` are the low kIndexBits.
  const std::uint64_t* next = nullptr;
  const std::uint64_t* end = nullptr;
  const Row* rows = nullptr;
  const Piece* pieces = nullptr;
};

}  // namespace rows
}  // namespace evt
#pragma GCC visibility pop
