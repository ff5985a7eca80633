// A row of a picture: what there is to draw.
#pragma once

#include <evt/analysis/actor_list.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bands.h"
#include "shares.h"
#include "value_runs.h"

namespace evt::view {

enum class TrackKind : std::uint8_t {
  kCpus,
  kCpu,
  kThread,
  kSpan,
  kCounter,
  kMark,
  kEvents,
  kSparks,
  kObject,
  kTracer,
  kAsync,
  kSamples
};
inline constexpr std::size_t kTrackKinds = 12;

// What lies over columns of a row.
enum class RowBand : std::uint8_t { kLost, kStopped, kUncertain, kUnread };

// Whether what a row has are stretches of time with names, each with a colour of its own.
constexpr bool is_named(TrackKind kind) {
  return kind == TrackKind::kSpan || kind == TrackKind::kTracer || kind == TrackKind::kAsync;
}

// What becomes of a spark.
enum class SparkClass : std::uint8_t { kCreated, kConverted, kOverflowed, kDud, kFizzled, kCollected };
inline constexpr std::size_t kSparkClasses = 6;

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
  std::string unit;                    // of its values or counts, as it is shown; empty if there is none
  std::uint32_t part = Actor::kNone;   // of a merged session, if all of it is of one
  std::uint32_t group = Actor::kNone;  // of RowGroups
  // Of how many it is the sum: kCpus of cpus, kTracer of streams. 0: kCpu, and no thread runs there.
  std::uint32_t rows = 1;
  std::vector<Shares> shares;                       // of the kinds up to kSpan, kTracer and kAsync; of sums several
  std::vector<ValueColumn> values;                  // kCounter
  std::vector<std::uint64_t> counts;                // kMark, kEvents, kObject, kSamples
  std::vector<std::vector<std::uint64_t>> classes;  // kSparks: counts, by SparkClass
  Bands lost;
  Bands stopped;
  Bands uncertain;  // events were lost that may have changed the state
  Bands unread;     // what it does there is drawn by what is known of it before it is read
  std::vector<TrackLabel> labels;

  bool has_bands() const {
    return !lost.is_empty() || !stopped.is_empty() || !uncertain.is_empty() || !unread.is_empty();
  }
};

}  // namespace evt::view
