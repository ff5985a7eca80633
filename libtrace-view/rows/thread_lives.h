// What each thread does, from when it exists to its end. One on which a collector works does that.
#pragma once

#include <evt/timeline.h>

#include <string>
#include <vector>

#include "losses.h"
#include "row_groups.h"
#include "state_runs.h"

namespace evt::view {

class ThreadLives {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;

  struct State {
    std::string name;                        // when it has ended
    std::uint32_t group = RowGroups::kNone;  // the same
    std::uint32_t thread = Actor::kNone;     // while it goes on; of Actors
    std::uint32_t part = Actor::kNone;
    std::int64_t began_ns = 0;
    std::int64_t ended_ns = INT64_MAX;
    bool is_thread = true;  // false: it is what cpus run when they have nothing to do
    std::int64_t uncertain_since = INT64_MAX;
    StreamSet streams;
  };
  struct Life : State {
    Course course;
    Bands uncertain;
  };

  ThreadLives(Actors& actors, const Scale& scale)
      : actors_(&actors), groups_(actors.session()), streams_(actors.session().streams.data()), scale_(&scale) {}

  void take(const TimelineItem& item) { item.kind == ItemKind::kRow ? take_event(item) : take_change(item); }
  static bool is_sample(const TimelineItem& item) {
    return item.kind == ItemKind::kRow && item.event->event != nullptr && item.event->role == Role::kSample;
  }
  // Which one the thread is in; of one that has ended, that. One that is not known yet begins. It is kNone of threads
  // that are not followed.
  std::size_t life_of(std::uint32_t thread, const TimelineItem& item);
  // The one that an event about the thread is in, which is about to be taken: the next one, if it begins one.
  std::size_t life_at(const RoleEvent& event) const;
  // The latest one of a thread; kNone if it has none.
  std::size_t latest_of(std::uint32_t thread) const { return thread < threads_.size() ? threads_[thread].life : kNone; }
  std::string name_of(const Life& life) const;
  std::uint32_t group_of(const Life& life) const;
  const RowGroups& groups() const { return groups_; }
  // What goes on does so until this time.
  Bands uncertain_of(const Life& life, const Zoom& zoom, std::int64_t until_ns) const;
  // What another is, without its columns and groups.
  void go_on_from(const ThreadLives& other);
  // In columns twice as wide; before the scale changes.
  void coarsen();
  std::size_t size() const;
  // In order of their begins.
  const std::vector<Life>& all() const { return lives_; }

 private:
  struct Thread {
    std::size_t life = kNone;  // the latest
    bool goes_on = false;
  };

  void take_event(const TimelineItem& item);
  void take_change(const TimelineItem& item);
  void begin(std::uint32_t thread, const TimelineItem& item);
  void change(const TimelineItem& item);
  void change_phase(const TimelineItem& item);
  void add_stream(Life* life, const StreamInfo* stream) const;
  void end(std::uint32_t thread, std::int64_t ns);

  Actors* actors_;
  RowGroups groups_;
  const StreamInfo* streams_;  // the session's
  const Scale* scale_;
  std::vector<Life> lives_;
  std::vector<Thread> threads_;  // by the indexes of Actors
};

}  // namespace evt::view
