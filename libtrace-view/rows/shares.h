// How long something was in each of its states, in each column.
#pragma once

#include <vector>

#include "scale.h"

namespace evt::view {

// A state of a row, or the hue of a span: small numbers.
using Key = std::uint8_t;
inline constexpr Key kKeys = 12;
inline constexpr Key kNothing = 255;

// Exact: what is added to a column is neither rounded nor counted twice. Memory grows with the columns that were
// touched, and the keys in each.
class Shares {
 public:
  struct Cell {
    std::uint32_t column = 0;
    Key key = 0;
    std::uint64_t ns = 0;
  };

  // In order of time. What is outside the scale is left out.
  void add(const Scale& scale, Key key, std::int64_t from_ns, std::int64_t to_ns);
  // More of one column, which is none before the last.
  void add_to(std::uint32_t column, Key key, std::uint64_t ns);
  // In order of the columns; each pair of column and key once.
  const std::vector<Cell>& cells() const { return cells_; }
  bool is_empty() const { return cells_.empty(); }

 private:
  std::vector<Cell> cells_;
};

// What a row of a cpu or of a thread shows at a moment, one state at a time: in the order in which they are drawn, from
// the base of a row to its top.
enum class RowState : Key {
  kRunning,
  kCollecting,     // the collector works
  kCollectorSync,  // it has done its part and waits for the others
  kCollectorIdle,  // it has nothing to do
  kRunnable,
  kOutside,
  kWaiting,
  kUnknown,
};
inline constexpr std::size_t kRowStates = 8;

constexpr Key key_of(RowState state) { return static_cast<Key>(state); }

}  // namespace evt::view
