// What each thread did, and what ended its waits: from the items of a timeline to changes, in the order of time.
#pragma once

#include <evt/analysis/why.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "change_spool.h"
#include "collection_log.h"
#include "libtrace-read/analyze/src/flat_map.h"
#include "libtrace-read/analyze/src/objects.h"
#include "libtrace-read/analyze/src/parts.h"

namespace evt {

// For one session. What ends a wait is found when the wait ends or, for what is recorded by the thread that waited,
// when it records that.
class WaitLog {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;

  // Keeps changes within the range and, after it, only how the waits of its last moment end. The timeline must outlive
  // it.
  WaitLog(Timeline& timeline, TimeRange range, std::size_t most_bytes);
  void set_groups(Why::GroupsOf groups) { groups_of_ = std::move(groups); }

  void take(const TimelineItem& item);
  // No wait at the end of the range is left without its own end.
  bool is_complete() const { return is_after_ && pending_ == 0; }
  // Gives the waits that have not ended the causes that are known. From then on all threads have a place here, also
  // those that are known by what others did alone.
  void finish();

  ChangeSpool& changes() { return changes_; }
  const Status& status() const { return changes_.status(); }
  // The latest change of a thread; Change::kNone if it has none.
  std::uint64_t latest(std::uint32_t thread) const {
    return thread < threads_.size() ? threads_[thread].latest : Change::kNone;
  }
  // Changes before this one belong to another thread that had the same index.
  std::uint64_t first(std::uint32_t thread) const { return threads_[thread].first; }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(threads_.size()); }
  // When the process of a part was stopped, in the order of time.
  struct Stop {
    std::int64_t from_ns = 0;
    std::int64_t to_ns = INT64_MAX;
  };
  using Stops = std::vector<Stop>;
  const Stops& stops(std::uint32_t part) const { return stops_[part + std::uint32_t{1}]; }
  const CollectionLog& collections() const { return collections_; }
  std::uint32_t cpus() const { return static_cast<std::uint32_t>(cpus_.size()); }
  const std::vector<WhyPlace>& places() const { return places_; }
  const std::vector<Usage::Target>& targets() const { return objects_.targets(); }
  // What other threads do cannot end a wait for it.
  bool never_sent(std::uint32_t target) const { return is_any(target, never_sent_); }
  bool has_runs() const { return has_runs_; }
  bool has_waits() const { return has_waits_; }

 private:
  // Where a call about an object writes to, and what it reads; in written_.
  struct Channel {
    NumberPair out;
    NumberPair in;
  };
  struct Frame {
    std::uint32_t name = kNone;
    bool is_call = false;
    bool has_object = false;       // it is about an object or a resource
    std::uint32_t target = kNone;  // in objects_
    NumberPair object;             // its number, and part
    std::uint32_t holder = kNone;
    std::optional<Channel> channel{};
    bool writes = false;
    std::uint16_t within = 0;  // with the spans and calls around it
  };
  struct Thread {
    ThreadState state = ThreadState::kUnknown;
    bool exists = false;
    bool is_collecting = false;
    bool is_uncertain = false;
    bool is_pending = false;  // its wait at the end of the range has no end yet
    std::uint32_t calls = 0;  // open ones about an object
    std::uint32_t reason = kNone;
    std::uint32_t stop_target = kNone;
    NumberPair stop_object;
    std::uint32_t waker = kNone;
    std::uint32_t cpu = kNone;
    std::uint32_t collector = kNone;       // the stream that collects in its place
    std::int64_t waits_since = INT64_MAX;  // INT64_MAX: it does not wait
    std::int64_t ended_ns = INT64_MAX;
    std::uint64_t latest = Change::kNone;
    std::uint64_t first = 0;
    std::uint64_t state_at = Change::kNone;
    std::uint64_t on_cpu_at = Change::kNone;    // with it it got the cpu that it has
    std::uint64_t unexplained = Change::kNone;  // its latest wait, which has ended, if no cause is known
    std::int64_t unexplained_since = 0;
    std::int64_t unexplained_until = 0;
    bool has_polled = false;  // in it, for what the next call about an object shows
    std::vector<Frame> open;

    // One whose runs no event records waits in calls about objects, for all that is known.
    bool waits() const { return state == ThreadState::kWaiting || (state == ThreadState::kUnknown && calls > 0); }
    bool is_runnable() const { return state == ThreadState::kRunnable && !is_collecting; }
  };
  struct Sent {
    std::uint64_t at = Change::kNone;  // the latest change of the thread by then
    std::uint32_t thread = kNone;
    std::int64_t ns = 0;
  };
  struct Release {
    std::uint64_t at = Change::kNone;
    std::uint32_t thread = kNone;
    std::int64_t ns = INT64_MIN;
  };
  // The latest call that writes into a pipe or a connection.
  struct Written {
    std::uint32_t thread = kNone;
    std::int64_t began_ns = INT64_MIN;
    std::uint64_t at = Change::kNone;   // the latest change of the thread when it ended
    std::int64_t ended_ns = INT64_MIN;  // INT64_MAX: it is in progress
  };
  // Who left a cpu last, and why.
  struct Left {
    std::uint32_t thread = kNone;
    std::uint32_t reason = kNone;
  };
  static constexpr std::size_t kMostSent = std::size_t{1} << 17;

  bool follows(std::uint32_t thread) const { return thread < Actor::kOthers; }
  void reach_from(std::int64_t ns);
  void reach_to();
  void begin_thread(const TimelineItem& item);
  void change_state(const TimelineItem& item);
  void become(std::uint32_t thread, std::int64_t ns);
  void doubt(const TimelineItem& item);
  void begin(const TimelineItem& item);
  void end(const TimelineItem& item);
  void change_place(const TimelineItem& item, bool waited);
  void note_connection(const RoleEvent& event, std::uint32_t part);
  std::optional<Channel> channel_of(const Frame& frame, std::uint32_t part) const;
  void begin_write(std::uint32_t thread, const Frame& frame, std::int64_t ns);
  void explain_poll(std::uint32_t thread, const Frame& frame);
  Written* written(NumberPair channel);
  void explain_by_writer(std::uint32_t thread, const Frame& frame);
  void end_write(std::uint32_t thread, const Frame& frame, std::int64_t ns);
  void stop(const TimelineItem& item);
  void release(const TimelineItem& item);
  void take_row(const RoleEvent& event);
  void note_cpu(const TimelineItem& item);
  void ask_for_collection(const RoleEvent& event);
  void fold(const FoldedActors& gone, std::int64_t ns);
  std::uint64_t add(std::uint32_t thread, Change change);
  Change change_of(std::uint32_t thread, Change::Kind kind, std::int64_t ns);
  std::uint32_t place_of(const Thread& thread);
  void end_wait(std::uint32_t thread, std::int64_t ns);
  void explain(std::uint32_t thread, Change::Cause cause, std::uint32_t by, std::uint64_t at, std::int64_t ns);
  void settle(Thread* thread);
  // The resource of a target, kNone for no target, is one of them.
  bool is_any(std::uint32_t target, std::span<const std::uint32_t> resources) const {
    return target != kNone && std::ranges::count(resources, targets()[target].resource) > 0;
  }

  Timeline* timeline_;
  TimeRange range_;
  ChangeSpool changes_;
  Objects objects_;
  std::vector<Thread> threads_;
  std::vector<std::uint64_t> cpus_;  // the latest change with which a thread got it
  std::vector<Left> left_;           // by cpu
  CollectionLog collections_;
  std::vector<Stops> stops_;                       // by part, of which the first is none
  FlatMap<Release, NumberPair> releases_;          // the latest of each lock
  FlatMap<NumberPair, NumberPair> ends_;           // what a socket is an end of, by object: a number, and its scope
  FlatMap<Written, NumberPair> written_;           // by the name of a pipe, and the system that has it; or by end
  FlatMap<Written, NumberPair> written_before_;    // and kMostSent before these
  FlatMap<Sent, NumberPair> sent_;                 // flows and messages, by their ids: the latest
  FlatMap<Sent, NumberPair> sent_before_;          // and kMostSent before these
  FlatMap<std::size_t, NumberPair> known_places_;  // one more than the index; 0: not known
  std::vector<WhyPlace> places_;
  Why::GroupsOf groups_of_;
  std::uint32_t only_ended_[3];  // resources of which the last release ends a wait, whoever had it before
  std::uint32_t lock_;           // resources
  std::uint32_t pipe_;
  std::uint32_t descriptors_;
  std::uint32_t never_sent_[2];  // resources of which waits do not end by what other threads send
  bool has_runs_ = false;
  bool has_waits_ = false;
  bool is_before_;             // the range
  bool is_after_ = false;      // it
  std::uint64_t pending_ = 0;  // threads
};

}  // namespace evt
