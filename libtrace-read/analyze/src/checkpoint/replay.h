// A session from event to event, and what comes of it.
#pragma once

#include <evt/analysis/state_history.h>

#include "libtrace-read/analyze/src/archive.h"
#include "libtrace-read/analyze/src/timeline/timeline_impl.h"

namespace evt {

// Its timeline, and what analyses make of the items: all that a checkpoint has.
class Replay {
 public:
  enum class Follows : std::uint8_t {
    kRuns,   // where threads run, and how many events there are
    kAll,    // that a checkpoint has
    kRange,  // what is asked for of the timeline
  };

  // Of a session of the trace, from behind a time that is known; INT64_MIN: none is.
  Replay(Trace& trace, std::size_t session, std::int64_t known_ns, Follows follows, Timeline::Options options = {});

  // Goes on to the next event, and calls f with each of its items; false at the end. But for kRange, nothing is ended
  // there that goes on.
  template <typename F>
  bool next(F f) {
    const TimelineItem* others = nullptr;
    const TimelineItem* end = nullptr;
    const TimelineItem* const first = timeline_->next_items(&others, &end);
    if (first == nullptr) return false;
    f(*first);
    for (; others != end; ++others) f(*others);
    return true;
  }
  // Takes an item into the state.
  void take(const TimelineItem& item);
  // Follows the events that were recorded up to this time.
  void reach(std::int64_t ns) {
    while (timeline_->coming_ns() <= ns && next([this](const TimelineItem& item) { take(item); })) continue;
  }
  // When the latest event was recorded.
  std::int64_t recorded_ns() const { return timeline_->latest_ns(); }
  const Actors& actors() const { return timeline_->actors(); }
  std::uint64_t events() const { return timeline_->events(); }
  // Whether something would be otherwise if what comes had been looked through for threads that cpus run when they have
  // nothing to do, as is done for what is read up to an end.
  bool depends_on_idle() const { return timeline_->depends_on_idle(); }
  bool has_many_names() const { return timeline_->has_many_names(); }
  // Events behind this moment can be taken by another that has read it from an archive.
  bool can_be_kept() { return timeline_->can_be_kept(); }
  // REQUIRES: can_be_kept(). What is read goes on from there.
  void archive(Archive& archive);
  // The threads that run: the ids of the streams that recorded it.
  std::map<std::uint32_t, std::uint32_t> running() const;
  SessionState finish();
  // What goes on from here, with items first by which analyses know what was before.
  SessionStart begin();

 private:
  Follows follows_;
  bool has_past_ = false;
  std::unique_ptr<Timeline::Impl> timeline_;
  Past past_;
  CpuTime cpu_;
  EventCounts counts_;
  Collections collections_;
};

}  // namespace evt
