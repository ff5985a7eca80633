// The rows of a session in columns as narrow as memory allows, while its events are read.
#pragma once

#include <evt/analysis/state_history.h>
#include <evt/timeline.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "libtrace-view/flows/open_flows.h"
#include "libtrace-view/rows/rows.h"

namespace evt::view {

// Moments of a session at which rows can go on in other columns: some, about equally far from each other, in bounded
// memory. The timeline must outlive it.
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

// Refers to the trace. One thread at a time.
class FineRows {
 public:
  // When rows have more pieces of 16 bytes than `most`, their columns become twice as wide, up to this level.
  struct Limits {
    std::size_t most = 0;
    unsigned level = 0;
    bool has_marks = false;  // makes some
  };

  // Of all that the timeline has of its session. REQUIRES: scale.has_level(); the number of its first column is even at
  // each level below limits.level.
  FineRows(Timeline timeline, const Scale& scale, Limits limits);
  // The same from a checkpoint on (StateHistory), before this time.
  FineRows(SessionStart start, std::int64_t from_ns, const Scale& scale, Limits limits);
  // Goes on from other rows, which were taken of the items before those of the timeline.
  FineRows(Timeline timeline, const Rows& from, const Scale& scale, Limits limits);

  // Takes up to this many items more. False: there are no more.
  bool go_on(std::size_t items);
  bool is_complete() const { return is_complete_; }
  // Up to when its rows are.
  std::int64_t until_ns() const { return until_ns_; }
  const Scale& scale() const { return rows_.scale(); }
  std::size_t size() const { return rows_.size(); }
  const Rows& rows() const { return rows_; }
  Rows& rows() { return rows_; }
  Timeline& timeline() { return timeline_; }
  const RowMarks& marks() const { return marks_; }

 private:
  void coarsen();

  Timeline timeline_;
  Rows rows_;
  std::unique_ptr<OpenFlows> flows_;  // of what has marks
  RowMarks marks_;
  Limits limits_;
  std::uint64_t items_ = 0;  // taken
  std::int64_t until_ns_;
  bool is_complete_ = false;
};

}  // namespace evt::view
