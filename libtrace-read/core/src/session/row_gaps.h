// Rows that a session lacks in each stream, before the latest row that it has of it.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "format-spec/src/row/ordinal_range.h"

namespace evt {

struct RowGap {
  enum class Why : std::uint8_t {
    kMissing,
    kNotKept,       // the trace lacks their segment
    kNotDecodable,  // present, in a form that this version cannot read
  };
  // A row next to the gap; by its clock.
  struct Edge {
    std::uint16_t clock = 0;
    std::uint64_t ticks = 0;
  };

  Why why = Why::kMissing;
  std::uint64_t end = 0;     // after its last row
  std::uint64_t offset = 0;  // the block that shows the gap
  bool from_start = false;   // no row of the stream is before it
  Edge from;
  Edge to;
  bool or_later = false;   // its end is unknown
  std::uint64_t lost = 0;  // events that LOST rows in it count, as far as known
  std::size_t part = 0;    // index of the part after the gap
};

class RowGaps {
 public:
  using Place = std::pair<std::uint32_t, std::uint64_t>;  // a stream, and the first row of a gap
  using Map = std::map<Place, RowGap>;

  // REQUIRES: no gap of the stream reaches to `begin` or beyond.
  void add(std::uint32_t stream, std::uint64_t begin, const RowGap& gap);
  const Map& all() const { return gaps_; }
  bool empty() const { return gaps_.empty(); }

  // Rows that are found late: removes those of `rows` that were in gaps, and returns them. `first` and `last` are their
  // times.
  struct Found {
    OrdinalRange rows;
    RowGap gap;  // before the removal
  };
  std::vector<Found> take(std::uint32_t stream, OrdinalRange rows, RowGap::Edge first, RowGap::Edge last);

  // Number of these rows in gaps of this kind.
  std::uint64_t count(RowGap::Why why, std::uint32_t stream, OrdinalRange rows) const;
  // The first gap at or after `ordinal` whose rows were kept, cut to start there; empty if no gap follows.
  OrdinalRange next(std::uint32_t stream, std::uint64_t ordinal) const;

 private:
  Map::const_iterator first_behind(std::uint32_t stream, std::uint64_t ordinal) const;

  Map gaps_;
};

}  // namespace evt
