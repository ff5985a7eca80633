// How long something was in each of its states, in each column.
#pragma once

#include <cstddef>
#include <iterator>
#include <vector>

#include "scale.h"

namespace evt::view {

// A state of a row, or the hue of a span: small numbers.
using Key = std::uint8_t;
inline constexpr Key kKeys = 12;
inline constexpr Key kNothing = 255;

// Exact: what is added to a column is neither rounded nor counted twice. Memory grows with what was added, not with the
// columns that a state lasts.
class Shares {
 public:
  static constexpr std::uint32_t kMostColumns = (1u << 24) - 1;

  struct Cell {
    std::uint32_t column = 0;
    Key key = 0;
    std::uint64_t ns = 0;
  };
  // So long in each of these columns. There are several only if all of them are of the key: as long as each is wide.
  struct Run {
    std::uint64_t ns = 0;
    std::uint32_t column = 0;
    std::uint32_t columns : 24 = 1;
    std::uint32_t key : 8 = 0;

    std::uint32_t end() const { return column + columns; }
  };
  // The same, column by column.
  class Cells {
   public:
    class Iterator {
     public:
      using iterator_category = std::input_iterator_tag;
      using value_type = Cell;
      using difference_type = std::ptrdiff_t;
      using pointer = const Cell*;
      using reference = Cell;

      Iterator(const Run* run, const Scale* scale) : run_(run), scale_(scale) {}
      Cell operator*() const {
        const std::uint32_t column = run_->column + column_;
        return {column, static_cast<Key>(run_->key), run_->columns > 1 ? scale_->width(column) : run_->ns};
      }
      Iterator& operator++() {
        if (++column_ == run_->columns) *this = Iterator(run_ + 1, scale_);
        return *this;
      }
      bool operator==(const Iterator&) const = default;

     private:
      const Run* run_;
      const Scale* scale_;
      std::uint32_t column_ = 0;  // of the run's
    };

    // They must outlive it.
    Cells(const std::vector<Run>& runs, const Scale& scale)
        : begin_(runs.data(), &scale), end_(runs.data() + runs.size(), &scale) {}
    Iterator begin() const { return begin_; }
    Iterator end() const { return end_; }

   private:
    Iterator begin_;
    Iterator end_;
  };

  // In order of time, each time the same scale. What is outside of it is left out. REQUIRES: scale.columns() <=
  // kMostColumns.
  void add(const Scale& scale, Key key, std::int64_t from_ns, std::int64_t to_ns);
  // More of one column, which is none before the last.
  void add_to(std::uint32_t column, Key key, std::uint64_t ns);
  // In order of the columns; each pair of column and key once.
  Cells cells() const { return {runs_, scale_}; }
  // REQUIRES: a scale that has a level.
  const std::vector<Run>& runs() const { return runs_; }
  bool is_empty() const { return runs_.empty(); }

 private:
  // All of these columns, the first of which is none before the last.
  void add_whole(std::uint32_t column, std::uint32_t end, Key key);

  std::vector<Run> runs_;
  Scale scale_{0, 1, 1};  // of what was added
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
