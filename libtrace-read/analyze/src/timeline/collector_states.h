// Tells which streams collect garbage, and which of them together.
#pragma once

#include <vector>

#include "libtrace-read/analyze/src/actors_impl.h"
#include "timeline_items.h"

namespace evt {

// A stream collects from gcStart to gcEnd: it works, except from gcIdle and gcDone to the next gcWork. Streams of one
// process that collect at a time may be at one collection, if their generations may be the same and none of them is at
// it twice. They are if one of them records that it leads (gcSync, gcStatistics), which it may do late: the collection
// lasts as long as the leader's part. Else each had its own.
class CollectorStates {
 public:
  explicit CollectorStates(Actors::Impl& actors);

  // `at`: its name is the reason that the event states.
  void take(const RoleEvent& event, TimelineItem at, TimelineItems* items);
  // A range begins: begins the streams that collect then.
  void begin(const TimelineItem& at, TimelineItems* items) const;
  // Time ends.
  void finish(TimelineItem at, TimelineItems* items);
  // For so many threads and names.
  void archive(Archive& archive, std::size_t threads, std::size_t names);

 private:
  struct OfStream {
    std::uint32_t part = Actor::kNone;
    bool collects = false;
    bool is_done = false;  // with its part
    CollectorPhase phase = CollectorPhase::kNone;
    std::int64_t phase_ns = 0;  // since when, as recorded
    std::uint64_t number = 0;   // its latest collection; 0: none
  };
  // One stream's part in a collection.
  struct Member {
    std::uint32_t stream = 0;  // its index
    std::uint32_t thread = Actor::kNone;
    std::uint64_t generation = Timeline::kNoGeneration;
    std::uint32_t reason = EventNames::kNone;
    std::int64_t began_ns = 0;  // as recorded
    std::int64_t ended_ns = 0;
    bool is_cut = false;  // its end is unknown
    bool is_open = false;
    bool is_wanted = false;
  };
  struct Collection {
    std::uint64_t number = 0;
    std::uint32_t part = Actor::kNone;
    std::uint32_t collecting = 0;  // number of its members
    std::uint32_t leader = Actor::kNone;
    std::vector<Member> members;  // the earliest first

    std::uint64_t generation() const;
  };

  void begin(const RoleEvent& event, const TimelineItem& at, TimelineItems* items);
  Collection& join(std::uint32_t stream, std::uint64_t generation, const TimelineItem& at, TimelineItems* items);
  void end(std::uint32_t stream, TimelineItem at, TimelineItems* items);
  void change_phase(std::uint32_t stream, CollectorPhase phase, const TimelineItem& at, TimelineItems* items);
  void done(std::uint32_t stream, const TimelineItem& at, TimelineItems* items);
  void lead(std::uint32_t stream, const RoleEvent& event, std::uint32_t reason);
  void close(std::size_t place, TimelineItem at, TimelineItems* items);
  void close_over(bool all, std::uint32_t part, std::uint64_t number, const TimelineItem& at, TimelineItems* items);
  Collection* find(std::uint64_t number);
  Member& member(std::uint32_t stream);

  const Session* session_;
  std::vector<OfStream> streams_;
  std::vector<Collection> collections_;  // not over, or may still get a leader; the earliest first
  std::uint64_t last_ = 0;               // number
};

}  // namespace evt
