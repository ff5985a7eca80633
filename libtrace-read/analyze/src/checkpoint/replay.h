// A session from event to event, and its state.
#pragma once

#include <evt/analysis/state_history.h>

#include "libtrace-read/analyze/src/archive.h"
#include "libtrace-read/analyze/src/timeline/timeline_impl.h"

namespace evt {

// Its timeline, and the analyses of its items: everything in a checkpoint.
class Replay {
 public:
  enum class Follows : std::uint8_t {
    kRuns,   // where threads run, and the number of events
    kAll,    // everything in a checkpoint
    kRange,  // what is requested from the timeline
  };

  // Follows a session of the trace from its first event after known_ns on; INT64_MIN: from its beginning.
  Replay(Trace& trace, std::size_t session, std::int64_t known_ns, Follows follows, Timeline::Options options = {});

  // Moves to the next event, and calls f with each of its items; false at the end. Except for kRange, nothing in
  // progress is ended there.
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
  // Recorded time of the latest event.
  std::int64_t recorded_ns() const { return timeline_->latest_ns(); }
  const Actors& actors() const { return timeline_->actors(); }
  std::uint64_t events() const { return timeline_->events(); }
  // True if the result would differ if the rest had been searched for threads that cpus run when they have nothing to
  // do, as is done when reading up to an end.
  bool depends_on_idle() const { return timeline_->depends_on_idle(); }
  bool has_many_names() const { return timeline_->has_many_names(); }
  // True if another that was read from an archive can take events after this moment.
  bool can_be_kept() { return timeline_->can_be_kept(); }
  // REQUIRES: can_be_kept(). One that is read continues from there.
  void archive(Archive& archive);
  // The running threads: the ids of the streams that recorded it.
  std::map<std::uint32_t, std::uint32_t> running() const;
  SessionState finish();
  // Hands over the timeline. Its first items tell analyses what is in progress here.
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
