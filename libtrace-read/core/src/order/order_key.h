// What orders rows of different streams (FORMAT.md, section 9).
#pragma once

#include <compare>
#include <cstdint>

namespace evt {

// How rows are ordered. Ticks are enough where a session has one clock: its time never decreases when they increase.
enum class OrderBy : std::uint8_t { kTicks, kNs, kNsClockTicks };

// The largest so far of a row of the stream.
struct OrderKey {
  std::uint64_t time = 0;   // ticks; or ns, in unsigned numbers of the same order
  std::uint16_t clock = 0;  // 0 where time is all that orders, as are the ticks
  std::uint64_t ticks = 0;

  friend auto operator<=>(const OrderKey&, const OrderKey&) = default;
};

}  // namespace evt
