// A row of a picture: what there is to draw.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bands.h"
#include "shares.h"
#include "value_column.h"

namespace evt::view {

enum class TrackKind : std::uint8_t { kCpus, kCpu, kThread, kSpan, kCounter, kMark, kEvents };

// A text for a stretch of columns.
struct TrackLabel {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  std::string text;
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
