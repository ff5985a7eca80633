// A row of a picture: what there is to draw.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "bands.h"
#include "shares.h"

namespace evt::view {

enum class TrackKind : std::uint8_t { kCpus, kCpu, kThread, kSpan, kCounter, kMark, kEvents };

// A text for a stretch of columns.
struct TrackLabel {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  std::string text;
};

// Values of a counter in one column.
struct ValueColumn {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double value_ns = 0;  // the sum of each value times how long it was
  double ns = 0;

  bool is_empty() const { return min > max; }
  double mean() const { return ns > 0 ? value_ns / ns : max; }
};

struct Track {
  TrackKind kind = TrackKind::kCpu;
  std::string key;  // which row of the session it is, whatever the scale: of threads and spans with equal lanes
  std::string name;
  std::uint32_t rows = 1;             // kCpus: of how many cpus it is the sum
  std::vector<Shares> shares;         // of the kinds up to kSpan; of kCpus one for each cpu, else one
  std::vector<ValueColumn> values;    // kCounter
  std::vector<std::uint64_t> counts;  // kMark, kEvents
  Bands lost;
  Bands stopped;
  Bands uncertain;  // events were lost that may have changed the state
  std::vector<TrackLabel> labels;
};

}  // namespace evt::view
