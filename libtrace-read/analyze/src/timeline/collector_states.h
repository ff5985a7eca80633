// Which streams collect garbage, and which of them together.
#pragma once

#include <vector>

#include "timeline_items.h"

namespace evt {

// A stream collects from gcStart to gcEnd: it works, but from gcIdle and gcDone to the next gcWork. Streams that
// collect at a time are at one collection, if their generations may be the same and none of them is at it twice; else
// each is at one of its own. A collection lasts as long as its leader's part: of the stream that records so (gcSync,
// gcStatistics), which it may do late, or else of the first.
class CollectorStates {
 public:
  explicit CollectorStates(const Session& session) : session_(&session), streams_(session.streams.size()) {}

  void take(const RoleEvent& event, TimelineItem at, TimelineItems* items);
  // Time ends.
  void finish(TimelineItem at, TimelineItems* items);

 private:
  struct OfStream {
    bool collects = false;
    std::int64_t began_ns = 0;  // as recorded
    std::int64_t ended_ns = 0;
    CollectorPhase phase = CollectorPhase::kNone;
    std::int64_t phase_ns = 0;  // since when, as recorded
    std::uint64_t number = 0;   // of its latest collection; 0: there was none
    bool is_wanted = false;
  };
  struct Collection {
    std::uint64_t number = 0;
    std::uint32_t leader = 0;  // the place of a stream
    bool is_led = false;       // that was recorded
    bool is_cut = false;       // when it ended is not known
    std::uint32_t collecting = 0;
    std::uint64_t generation = Timeline::kNoGeneration;
  };

  void begin(const RoleEvent& event, TimelineItem at, TimelineItems* items);
  void end(std::uint32_t stream, TimelineItem at, TimelineItems* items);
  void change_phase(std::uint32_t stream, CollectorPhase phase, const TimelineItem& at, TimelineItems* items);
  void lead(std::uint32_t stream, const RoleEvent& event);
  void close(std::size_t place, TimelineItem at, TimelineItems* items);
  void close_over(bool all, std::uint64_t number, const TimelineItem& at, TimelineItems* items);
  Collection* find(std::uint64_t number);

  const Session* session_;
  std::vector<OfStream> streams_;
  std::vector<Collection> collections_;  // that are not over, or may be led yet; the earliest first
  std::uint64_t last_ = 0;               // number
  std::uint32_t collecting_ = 0;         // streams
};

}  // namespace evt
