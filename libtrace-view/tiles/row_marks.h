// Moments of a session at which rows can go on in other columns.
#pragma once

#include <evt/timeline.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "libtrace-view/rows/rows.h"

namespace evt::view {

// Some moments, about equally far from each other, in bounded memory. The timeline must outlive it.
class RowMarks {
 public:
  struct Mark {
    Timeline::Mark timeline;
    std::unique_ptr<const Rows> rows;  // without columns
  };

  // The timeline has handed out this many items, and `rows` have taken them. Makes a mark if it is time for one, and
  // there can be one.
  void note(std::uint64_t items, Timeline& timeline, const Rows& rows) {
    if (items >= next_) add(items, timeline, rows);
  }
  // The last one before this time; null if there is none.
  const Mark* before(std::int64_t ns) const;

 private:
  void add(std::uint64_t items, Timeline& timeline, const Rows& rows);

  std::vector<Mark> marks_;
  std::uint64_t distance_ = std::uint64_t{1} << 18;  // items between two of them, at least
  std::uint64_t next_ = distance_;
};

}  // namespace evt::view
