// The states that something was in, one after another or several at once, in columns of a scale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shares.h"
#include "zoom.h"

namespace evt::view {

// Exact as Shares are, and small where a state goes on: columns that are wholly in it are one run, of 16 bytes.
class StateRuns {
 public:
  // In order of time. What is outside the scale is left out.
  void add(const Scale& scale, Key key, std::int64_t from_ns, std::int64_t to_ns);
  // What it has in columns twice as wide. REQUIRES: all that is in it was added by this scale, which can be coarser().
  void coarsen(const Scale& scale);
  // What it has in the columns of zoom.as(), if these are none before the last one of `shares`.
  void show(const Zoom& zoom, Shares* shares) const;
  // In runs and parts of columns.
  std::size_t size() const { return runs_.size(); }

 private:
  static constexpr unsigned kNsBits = 56;

  // A part of a column has no columns.
  struct Run {
    std::uint32_t column = 0;
    std::uint32_t columns = 0;
    std::uint64_t key_and_ns = 0;  // ns of a part

    Key key() const { return static_cast<Key>(key_and_ns >> kNsBits); }
    std::uint64_t ns() const { return key_and_ns & ((std::uint64_t{1} << kNsBits) - 1); }
    std::uint32_t end() const { return column + (columns == 0 ? 1 : columns); }
  };

  void add_part(std::uint32_t column, Key key, std::uint64_t ns);
  void add_run(std::uint32_t first, std::uint32_t end, Key key);

  std::vector<Run> runs_;
};

}  // namespace evt::view
