// A row in the reader's memory: small, in contiguous arrays, because ordering waits for this memory. Part of
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

// The payload lies in a block that the reader keeps while the row is visible.
struct Row {
  const std::byte* payload;
  std::uint64_t ticks;
  const EventType* type;
  std::uint32_t payload_size;
  std::uint32_t piece;  // what it shares with its neighbours
};

// Consecutive rows of one stream, in one block.
struct Piece {
  const StreamInfo* stream;
  const ClockMap* clock;
  std::uint64_t ordinal;  // what the first row of all would have, if it belonged to this piece
  std::uint64_t stamp;    // for a row in a separate piece, whose stamp was impossible; else 0
};

// Rows whose order is known.
struct Ordered {
  static constexpr unsigned kIndexBits = 12;
  static constexpr std::size_t kMax = std::size_t{1} << kIndexBits;

  // The rows in order; the low kIndexBits of each are the index in `rows`.
  const std::uint64_t* next = nullptr;
  const std::uint64_t* end = nullptr;
  const Row* rows = nullptr;
  const Piece* pieces = nullptr;
};

}  // namespace rows
}  // namespace evt
#pragma GCC visibility pop
