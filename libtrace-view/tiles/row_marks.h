// Moments of a session at which rows can go on in other columns.
#pragma once

#include <evt/timeline.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "libtrace-view/flows/open_flows.h"
#include "libtrace-view/rows/rows.h"

namespace evt::view {

// Some moments, about equally far from each other, in bounded memory. The timeline must outlive it.
class RowMarks {
 public:
  struct Mark {
    Timeline::Mark timeline;
    std::unique_ptr<const Rows> rows;  // without columns
    std::unique_ptr<const OpenFlows> flows;
  };

  // The timeline has handed out this many items, which rows and flows have taken. Makes a mark if it is time for one,
  // and there can be one.
  void note(std::uint64_t items, Timeline& timeline, const Rows& rows, const OpenFlows& flows) {
    if (items >= next_) add(items, timeline, rows, flows);
  }
  // The last one before this time; null if there is none.
  const Mark* before(std::int64_t ns) const;

 private:
  void add(std::uint64_t items, Timeline& timeline, const Rows& rows, const OpenFlows& flows);

  std::vector<Mark> marks_;
  std::uint64_t distance_ = std::uint64_t{1} << 18;  // items between two of them, at least
  std::uint64_t next_ = distance_;
};

}  // namespace evt::view
