// Who does what, and when: the events of a trace as one sequence of what begins, changes and ends. Statistics, pictures
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
  kRunnable,  // it could run: it was created or woken, or stopped for others
  kRunning,
  kWaiting,  // blocked, or asleep
  kOutside,  // it runs where no event records it: in the system, in a foreign function
  kEnded,
};

// What the collector of a stream does while a collection goes on.
enum class CollectorPhase : std::uint8_t {
  kNone,  // nothing: no collection goes on there
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
  // `thread` is in `state` from now on, and was in `before`: never in two at once. One that would run is kRunnable, for
  // the reason "garbage collection", while a stream collects on it.
  kState,
  kUncertain,   // events were lost since `began_ns` that may have changed the `state` in which `thread` was
  kWake,        // a wait of `thread` has ended; `other` woke it
  kMigrate,     // `thread` moves to another cpu
  kIdleThread,  // `thread` is what cpus run when they have nothing to do: what was taken for its states were none
  kIdleBegan,   // `cpu` has nothing to do, but `thread`
  kIdleEnded,
  kBegan,           // a span or call begins on `thread`, inside of `depth` others
  kEnded,           // it ends; inside of `depth` others
  kUnmatchedEnd,    // an end of a span or call that is not open
  kNotTimed,        // an event that records a whole span, call or stop, and not when it began
  kAsyncBegan,      // an asynchronous span begins: `value` is its id, and `part` of which part that is
  kAsyncEnded,      // it ends: `stream` is the one on which it began, and that of the event may be another
  kAsyncUnmatched,  // an end of an asynchronous span that is not open, or the begin or end of one without an id
  kObject,          // an object is opened, named or closed, by the role of the event
  kCollectorBegan,  // `stream` begins to collect garbage, on `thread`
  kCollectorPhase,  // it was in `phase_before` from `began_ns` to `ended_ns`, and is in `phase` from now on
  kCollectorEnded,  // it began at `began_ns`
  // Of several streams of a process, or one: over by now, as far as is known, and was from `began_ns` to `ended_ns`.
  // `stream` led it, or did it alone; `name`: why, kNone if that is not stated.
  kCollection,
  kSpark,      // a spark, by the role of the event
  kStopBegan,  // the process of part `part` is stopped
  kStopEnded,
  kLost,  // rows of `stream` are lost or missing since `began_ns`
  kJump,  // time steps back by intent
  kFold,  // threads that ended are forgotten; their indexes are given to others
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

// What an event that records a whole call has of it.
struct CallFacts {
  std::uint64_t object = 0;  // its number; 0: none
  std::uint64_t amount = 0;
  std::uint64_t limit = 0;
  std::uint32_t resource = EventNames::kNone;  // of names()
};

// To what a session was cut; all of time if it was not.
TimeRange cut_of(const Session& session);
// The part of a range that a session was not cut to leave out.
TimeRange within_cut(const Session& session, TimeRange range);
// When its first event was recorded; of a session without events its last_ns.
std::int64_t first_event_ns(const Session& session);
// When a session ends: of a part where it was cut, whatever was recorded later is in it.
std::int64_t end_ns_of(const Session& session);

// Valid until the next one is asked for.
struct TimelineItem {
  ItemKind kind = ItemKind::kRow;
  ThreadState state = ThreadState::kUnknown;
  ThreadState before = ThreadState::kUnknown;
  CollectorPhase phase = CollectorPhase::kNone;
  CollectorPhase phase_before = CollectorPhase::kNone;
  bool is_call = false;      // kBegan, kEnded: a call, not a span
  bool is_complete = false;  // the same: one event records it as a whole, when it has ended
  bool is_open = false;      // it has not ended: the range, or the session, ends here
  bool goes_on = false;      // is_open, from show_open_every(): it does not end here
  // kEnded: what was around it ended, or its thread. kAsyncEnded: too many are open.
  bool is_cut = false;
  bool is_uncertain = false;  // kEnded, kAsyncEnded: events were lost meanwhile that may have recorded its end
  bool overlaps = false;      // kEnded: with another, which goes on, and neither is inside the other
  bool is_negative = false;   // kBegan: its length is recorded as less than nothing
  bool is_wanted = true;      // by the options, for answers: of what has begun and ended, one of both events is
  // kState: it goes on as it was: another ran in between for no time at all, or a collection has ended.
  bool resumes = false;
  bool is_collecting = false;           // kState: it would run, on `cpu`, and a collector works there instead
  std::uint32_t thread = Actor::kNone;  // of Actors
  std::uint32_t cpu = Actor::kNone;     // kState, kRunning or is_collecting: where; of Actors
  std::uint32_t other = Actor::kNone;   // kState: of reasons(); kWake: of Actors, kNone if it is not stated
  std::uint32_t name = 0;               // of names(); of stops: why, EventNames::kNone if that is not stated
  std::uint32_t depth = 0;              // how many spans and calls are around it, so its place in the thread's stack
  std::uint32_t part = Actor::kNone;    // of a merged session; kNone of a stop: of a process that has no part
  // kCollection: its generation; of asynchronous spans: the id; kBegan: what its length may be short of, ns; of stops:
  // for how many ns the machine was suspended, which are no time of the trace.
  std::uint64_t value = 0;
  std::int64_t ns = 0;  // since the session's start; never before the item before
  // As recorded: streams may differ within the tolerance of their clocks, so by that an end may be before its begin.
  std::int64_t began_ns = 0;
  std::int64_t ended_ns = 0;
  const StreamInfo* stream = nullptr;
  const CallFacts* call = nullptr;   // kBegan, of a call that is_complete
  const RoleEvent* event = nullptr;  // that shows it; null of a begin before its event, and of what is_open
};

// Reads a trace. What is recorded when it has ended is put where it began: so the parts of the trace that have such
// events are read twice. Refers to the trace; one thread at a time.
//
//   Timeline timeline(trace, {});
//   while (timeline.next_session()) {
//     ThreadTimes times;
//     while (const TimelineItem* item = timeline.next()) times.take(*item);
//   }
//
// Memory grows with threads and cpus, of which `most_threads` are followed, with names, and with what is open.
class Timeline {
 public:
  static constexpr std::uint64_t kNoGeneration = UINT64_MAX;

  struct Options {
    // Of a session: nothing after its end is handed out, and what is open there is ended with `is_open`. What began
    // before the end and was recorded after it is open there too. A part ends where it was cut, at the latest. An empty
    // range: none of it is read.
    std::function<TimeRange(const Session&)> range{};
    // The range begins with items that begin what is going on there: threads, states, spans, collections, stops. Of
    // what was before, only items of kinds kRow and kFold are handed out, without is_wanted. If false, all items are.
    bool begins_with_range = false;
    // Sets TimelineItem::is_wanted; all are, without. It changes nothing else.
    std::function<bool(const Event&)> wanted{};
    // The same, by the thread that the event is of; null: none that is followed. Both must hold.
    std::function<bool(const Event&, const Actor* thread)> wanted_thread{};
    std::uint32_t most_threads = Actor::kOthers;  // and cpus, that are followed at a time
  };
  // What did not fit together.
  struct Doubts {
    std::uint64_t unmatched_stops = 0;  // of threads that did not run: since when they did is not known
    std::uint64_t replaced = 0;         // a thread did not stop before another ran on its cpu
    std::uint64_t moved = 0;            // a thread did not stop before it ran on another cpu
    std::uint64_t jumps = 0;            // time stepped back by intent: what went on lasted no time until it caught up
  };

  // A moment of a session, from which it can be read again.
  class Mark {
   public:
    // Items up to this time are before it, and all others behind it.
    std::int64_t ns() const;

   private:
    friend class Timeline;
    class Impl;
    explicit Mark(std::unique_ptr<const Impl> impl);
    Hidden<const Impl> impl_;
  };

  Timeline(Trace& trace, Options options);

  // Goes on to the next session of the trace, which may have no events.
  bool next_session();
  // From now on, items of kind kRow are those of events that have these roles: of all, if it was not asked for others.
  void hand_out_rows(const RoleSet& roles);
  // From now on, items are of these kinds: of all, if it was not asked for others. What nothing asks for costs less: of
  // kinds that do not depend on the states of threads these are not found, and then reasons(), doubts() and idle
  // threads are not known either.
  void hand_out(const ItemKinds& kinds);
  // Divides time into stretches of this length; the first begins at `from_ns`. Where a stretch ends, next() hands out
  // the items that would end the session there, with is_open and goes_on. All other items stay as they are. Of several
  // stretches in which nothing happens, only the first has such items. Each end costs as much as is open.
  // REQUIRES: length > 0.
  void show_open_every(std::int64_t length, std::int64_t from_ns);
  // The next item of the session; null at its end.
  const TimelineItem* next() { return next_ != end_ ? next_++ : next_of_events(); }

  // The moment that next() has reached. None within the items of one time, where time has stepped back by intent, where
  // states of threads are not found, or where there was no room in memory for what began earlier than it was recorded.
  // Costs as much as is open.
  std::optional<Mark> mark();
  // In the mark's session, behind the mark, up to this time: its next() has what that of this one had, or will have.
  // REQUIRES: the mark is of this session; doubts().jumps stays 0 until the session's end.
  Timeline behind(const Mark& mark, std::int64_t to_ns);

  // When the session's first event was, or what it records as a whole began, if that was before.
  std::int64_t first_ns() const;
  // Where the session ended, or the range, if that was before. REQUIRES: next() has returned null.
  std::int64_t end_ns() const;
  Actors& actors();
  // Of spans, calls, resources and what else events name.
  EventNames& names();
  // Why threads stopped. At most 4096; all others are one, `(other reasons)`.
  const std::vector<StopReason>& reasons() const;
  // Of the session so far.
  const Doubts& doubts() const;
  // Whether any event of the whole session records that a thread runs or stops. Without an index, reads up to the
  // first.
  bool records_runs();
  // How many events there were in the range, of those that are wanted: losses and jumps are none.
  std::uint64_t events() const;
  // What went wrong with reading so far, as Events::status() has it; kIo if there was no room to sort begins.
  const Status& status() const;

  class Impl;
  explicit Timeline(std::unique_ptr<Impl> impl);

 private:
  const TimelineItem* next_of_events();

  Hidden<Impl> impl_;
  const TimelineItem* next_ = nullptr;  // of what the latest event shows
  const TimelineItem* end_ = nullptr;
};

}  // namespace evt
#pragma GCC visibility pop
