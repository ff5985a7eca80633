// Who does what, and when: the events of a trace as one sequence of beginnings, changes and ends. Statistics, pictures
// and exporters are folds over it.
#pragma once

#include <evt/analysis/actors.h>
#include <evt/analysis/event_names.h>
#include <evt/analysis/role_set.h>
#include <evt/opaque.h>

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

enum class ThreadState : std::uint8_t {
  kUnknown,   // no event of it yet, or none that shows its state
  kRunnable,  // runnable: it was created or woken, or stopped for others
  kRunning,
  kWaiting,  // blocked, or asleep
  kOutside,  // it runs where no event records it: in the system, in a foreign function
  kEnded,
};

// Activity of a stream's collector during a collection.
enum class CollectorPhase : std::uint8_t {
  kNone,  // no collection is in progress there
  kWork,
  kIdle,  // it has nothing to do (role gcIdle)
  kSync,  // its part is done (role gcDone), and it waits for others that take part
};

struct StopReason {
  std::string text;  // the label of the event's `reason`; `reason N` without one; empty without a reason
  ThreadState state = ThreadState::kWaiting;
};

enum class ItemKind : std::uint8_t {
  kRow,     // an event was recorded, of any role or none; its other items follow
  kThread,  // `thread` exists from now on; once, until it ends
  // `thread` is in `state` from now on, and was in `before`: never in two at once. A thread that would run is
  // kRunnable, for the reason "garbage collection", while a stream collects on it.
  kState,
  kUncertain,   // events were lost since `began_ns` that may have changed the `state` in which `thread` was
  kWake,        // a wait of `thread` has ended; `other` woke it
  kMigrate,     // `thread` moves to another cpu
  kIdleThread,  // cpus run `thread` when they have nothing to do: the states assumed for it were wrong
  kIdleBegan,   // `cpu` has nothing to do but `thread`
  kIdleEnded,
  kBegan,           // a span or call begins on `thread`, nested in `depth` others
  kEnded,           // it ends; nested in `depth` others
  kUnmatchedEnd,    // an end of a span or call that is not open
  kNotTimed,        // an event that records a whole span, call or stop, but not when it began
  kAsyncBegan,      // an asynchronous span begins: `value` is its id, and `part` the part of that id
  kAsyncEnded,      // it ends: `stream` is the one on which it began; the event's stream may be another
  kAsyncUnmatched,  // an end of an asynchronous span that is not open, or the begin or end of one without an id
  kObject,          // an object is opened, named or closed, by the role of the event
  kLockRelease,     // `thread` releases the lock `value`, a number of part `part`, for which others wait
  kCollectorBegan,  // `stream` begins to collect garbage, on `thread`
  kCollectorPhase,  // it was in `phase_before` from `began_ns` to `ended_ns`, and is in `phase` from now on
  kCollectorEnded,  // it began at `began_ns`
  // A collection by one or several streams of a process: over by now, as far as known, from `began_ns` to `ended_ns`.
  // `stream` led it, or did it alone; `name`: the reason, kNone if not stated.
  kCollection,
  kSpark,      // a spark, by the role of the event
  kStopBegan,  // the process of part `part` is stopped
  kStopEnded,
  kLost,  // rows of `stream` are lost or missing since `began_ns`
  kJump,  // time intentionally steps back
  kFold,  // ended threads are forgotten; their indexes are reused
};

class ItemKinds {
 public:
  static constexpr std::size_t kKinds = static_cast<std::size_t>(ItemKind::kFold) + 1;

  ItemKinds() = default;
  ItemKinds(std::initializer_list<ItemKind> kinds) {
    for (const ItemKind kind : kinds) bits_ |= bit_of(kind);
  }
  static ItemKinds all() {
    ItemKinds kinds;
    kinds.bits_ = UINT32_MAX;
    return kinds;
  }

  bool has(ItemKind kind) const { return (bits_ & bit_of(kind)) != 0; }
  bool has_any(const ItemKinds& of) const { return (bits_ & of.bits_) != 0; }
  ItemKinds& operator|=(const ItemKinds& other) {
    bits_ |= other.bits_;
    return *this;
  }

 private:
  static std::uint32_t bit_of(ItemKind kind) { return std::uint32_t{1} << static_cast<unsigned>(kind); }

  std::uint32_t bits_ = 0;
};

// Facts about a call from an event that records the whole call.
struct CallFacts {
  std::uint64_t object = 0;  // its number; 0: none
  std::uint64_t amount = 0;
  std::uint64_t limit = 0;
  std::uint32_t resource = EventNames::kNone;  // index in names()
};

// The range that a session was cut to; all of time if it was not cut.
TimeRange cut_of(const Session& session);
// The part of a range that is within the session's cut.
TimeRange within_cut(const Session& session, TimeRange range);
// Some of its types are twins: events of them repeat what was recorded before the range of a cut.
bool has_twins(const Session& session);
// When its first event was recorded; without events, its last_ns.
std::int64_t first_event_ns(const Session& session);
// When a session ends: a cut one at the end of its range, even if it contains later events.
std::int64_t end_ns_of(const Session& session);

// Valid until the next one is requested.
struct TimelineItem {
  ItemKind kind = ItemKind::kRow;
  ThreadState state = ThreadState::kUnknown;
  ThreadState before = ThreadState::kUnknown;
  CollectorPhase phase = CollectorPhase::kNone;
  CollectorPhase phase_before = CollectorPhase::kNone;
  bool is_call = false;      // kBegan, kEnded: a call, not a span
  bool is_complete = false;  // kBegan, kEnded: one event records it as a whole, after it has ended
  bool is_open = false;      // it has not ended: the range, or the session, ends here
  bool goes_on = false;      // is_open, from show_open_every(): it does not end here
  // kEnded: its enclosing one ended, or its thread. kAsyncEnded: too many are open.
  bool is_cut = false;
  bool is_uncertain = false;  // kEnded, kAsyncEnded: events were lost meanwhile that may have recorded its end
  bool overlaps = false;      // kEnded: with another, which is still open, and neither contains the other
  bool is_negative = false;   // kBegan: its recorded length is negative
  bool is_wanted = true;      // matches the options, for answers: of what has begun and ended, one of both events does
  // kState: it continues the earlier state: another ran in between for no time at all, or a collection has ended.
  bool resumes = false;
  bool is_collecting = false;           // kState: it would run, on `cpu`, but a collector works there instead
  std::uint32_t thread = Actor::kNone;  // index in Actors
  std::uint32_t cpu = Actor::kNone;     // kState, kRunning or is_collecting: where; index in Actors
  std::uint32_t other = Actor::kNone;  // kState: in reasons(); in Actors: who wakes (kWake), or holds the lock (kBegan)
  std::uint32_t name = 0;              // index in names(); of stops: the cause, EventNames::kNone if not stated
  std::uint32_t depth = 0;             // number of enclosing spans and calls, so its place in the thread's stack
  std::uint32_t part = Actor::kNone;   // in a merged session; kNone for a stop: of a process that has no part
  // kCollection: its generation; asynchronous spans: the id; kLockRelease: the lock; kBegan: possible shortfall of its
  // length, ns; stops: for how many ns the machine was suspended, which is not part of the trace's time.
  std::uint64_t value = 0;
  std::int64_t ns = 0;  // since the session's start; never before the previous item
  // As recorded: streams may differ within the tolerance of their clocks, so an end may be before its begin.
  std::int64_t began_ns = 0;
  std::int64_t ended_ns = 0;
  const StreamInfo* stream = nullptr;
  const CallFacts* call = nullptr;   // kBegan, for a call that is_complete
  const RoleEvent* event = nullptr;  // that shows it; null for a begin before its event, and for is_open
};

// Reads a trace. Things that are recorded after their end are placed at their beginning: so the parts of the trace that
// have such events are read twice. Refers to the trace; one thread at a time.
//
//   Timeline timeline(trace, {});
//   while (timeline.next_session()) {
//     ThreadTimes times;
//     while (const TimelineItem* item = timeline.next()) times.take(*item);
//   }
//
// Memory grows with threads and cpus, at most `most_threads` of which are followed, with names, and with open spans.
class Timeline {
 public:
  static constexpr std::uint64_t kNoGeneration = UINT64_MAX;

  struct Options {
    // The range of a session: nothing after its end is returned, and what is open there is ended with `is_open`. What
    // began before the end and was recorded after it is open there too. A cut session ends where it was cut, at the
    // latest. An empty range: nothing is read.
    std::function<TimeRange(const Session&)> range{};
    // The range begins with items that begin what is in progress there: threads, states, spans, collections, stops. Of
    // earlier items, only those of kinds kRow and kFold are returned, without is_wanted. If false, all are.
    bool begins_with_range = false;
    // Sets TimelineItem::is_wanted; without it all are. Changes nothing else.
    std::function<bool(const Event&)> wanted{};
    // Like `wanted`, by the event's thread; null: no followed thread. Both must hold.
    std::function<bool(const Event&, const Actor* thread)> wanted_thread{};
    std::uint32_t most_threads = Actor::kOthers;  // limit for followed threads, and for cpus
  };
  // Contradictions in the events.
  struct Doubts {
    std::uint64_t unmatched_stops = 0;  // stops of threads that did not run: their start is unknown
    std::uint64_t replaced = 0;         // a thread did not stop before another ran on its cpu
    std::uint64_t moved = 0;            // a thread did not stop before it ran on another cpu
    std::uint64_t jumps = 0;  // time stepped back by intent: what was in progress lasted no time until time caught up
  };

  // A moment of a session, from which it can be read again.
  class Mark {
   public:
    // Items up to this time are before it, and all others after it.
    std::int64_t ns() const;

   private:
    friend class Timeline;
    class Impl;
    explicit Mark(std::unique_ptr<const Impl> impl);
    Hidden<const Impl> impl_;
  };

  Timeline(Trace& trace, Options options);

  // Moves to the next session of the trace, which may have no events.
  bool next_session();
  // From now on, items of kind kRow are those of events that have these roles; by default, of all events.
  void hand_out_rows(const RoleSet& roles);
  // From now on, items are of these kinds; by default, of all. Unrequested kinds cost less: states of threads and spans
  // on which none depends are not followed. Without the states, reasons(), doubts() and idle threads are unknown too.
  void hand_out(const ItemKinds& kinds);
  // Divides time into stretches of this length; the first begins at `from_ns`. Where a stretch ends, next() returns the
  // items that would end the session there, with is_open and goes_on. All other items stay the same. Of several
  // stretches in which nothing happens, only the first has such items. Each end costs as much as is open. REQUIRES:
  // length > 0.
  void show_open_every(std::int64_t length, std::int64_t from_ns);
  // The next item of the session; null at its end.
  const TimelineItem* next() { return next_ != end_ ? next_++ : next_of_events(); }

  // The moment that next() has reached. None between items of one time, after time has stepped back by intent, if
  // states of threads or spans are not followed, or if there was no room in memory for things that began before they
  // were recorded. Costs as much as is open.
  std::optional<Mark> mark();
  // A timeline of the mark's session, after the mark, up to this time: its next() returns what that of this one did, or
  // will. REQUIRES: the mark is of this session; doubts().jumps stays 0 until the session's end.
  Timeline behind(const Mark& mark, std::int64_t to_ns);

  // The time of the session's first event, or of the beginning of what it records as a whole, if that is earlier.
  std::int64_t first_ns() const;
  // The end of the session, or of the range, if that is earlier. REQUIRES: next() has returned null.
  std::int64_t end_ns() const;
  Actors& actors();
  // Names of spans, calls, resources and other things that events name.
  EventNames& names();
  // Why threads stopped. At most 4096; all others are one, `(other reasons)`.
  const std::vector<StopReason>& reasons() const;
  // For the session so far.
  const Doubts& doubts() const;
  // True if any event of the whole session records that a thread runs or stops. Without an index, reads up to the
  // first.
  bool records_runs();
  // Number of wanted events in the range, without losses and jumps.
  std::uint64_t events() const;
  // The first error of reading so far, see Events::status(); kIo if there was no room to sort begins.
  const Status& status() const;

  class Impl;
  explicit Timeline(std::unique_ptr<Impl> impl);

 private:
  const TimelineItem* next_of_events();

  Hidden<Impl> impl_;
  const TimelineItem* next_ = nullptr;  // in the items of the latest event
  const TimelineItem* end_ = nullptr;
};

}  // namespace evt
#pragma GCC visibility pop
