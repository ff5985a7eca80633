// Resources that a program uses: calls of functions for objects of some kind of resource, how much of it, and how long
// that took; and how else its threads spend their time.
#pragma once

#include <evt/opaque.h>
#include <evt/timeline.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Calls of one thread to one function for one object.
struct CallSum {
  // The part of calls that name no object, resource or amount, such as an interpreter's functions. ThreadRow::times
  // contains this time as well.
  struct Unnamed {
    std::uint64_t calls = 0;
    std::uint64_t ns = 0;
    std::uint64_t stopped_ns = 0;
    std::uint64_t subtracted_ns = 0;
  };

  std::uint64_t calls = 0;
  std::uint64_t amount = 0;
  std::uint64_t ns = 0;             // without nested calls and without time that counts as stopped
  std::uint64_t stopped_ns = 0;     // the process was stopped meanwhile, and they would not have waited anyway
  std::uint64_t assumed_ns = 0;     // part of stopped_ns: no limit tells how long they must take
  std::uint64_t subtracted_ns = 0;  // tracing time, not included in ns
  Unnamed unnamed;

  void add(const CallSum& other);
};

// Time of a thread outside of calls.
enum class Use : std::uint8_t {
  kCpu,       // it runs, or no event records that it does not
  kRunnable,  // it is runnable
  kOutside,   // it runs where no event records it
  kSleeping,  // it waits, or sleeps
  kUnknown,   // it does not run, and no event records why
  kAbsent,    // it does not exist
};

// Takes the items of one session in order; memory grows with threads, open objects, and the keys of rows.
//
// While the process was stopped (role `stopped`), a thread that slept would have slept anyway, in a call or not, and
// one that did not lost that time. A call that uses a resource with a limit per second must take that long: of the
// stops in it, in order, each counts as stopped if the call took longer by its whole length; during the others the
// resource may have continued to work, and nothing is moved. Calls for the resource `sleep` sleep. A resource serves
// overlapping calls one after another, in the order in which they end: its remaining work for one when the next begins
// adds to the time that the next must take.
class Usage {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;
  static constexpr std::size_t kUses = 6;  // values of Use

  using Limits = std::vector<std::pair<std::string, std::uint64_t>>;  // resources, with their amount per second

  struct Row {
    std::uint32_t thread = 0;    // index in Actors
    std::uint32_t function = 0;  // index in Timeline::names()
    std::uint32_t target = 0;    // index in targets()
    CallSum sum;
  };
  struct Times {
    std::uint64_t ns[kUses] = {};     // without stopped time
    std::uint64_t moved[kUses] = {};  // from each use to stopped
  };
  struct ThreadRow {
    std::uint32_t thread = 0;
    Times times;
  };
  // The target of calls. Objects and resources are identified by indexes in Timeline::names().
  struct Target {
    std::uint32_t resource = kNone;  // the kind of thing
    std::uint32_t name = kNone;      // the object's; kNone: it has none, or there is no object
    std::uint64_t number = 0;        // number of an object without a name; 0: calls for no object
    std::uint32_t part = kNone;      // in a merged session
  };
  // Use of what has a limit: of an object by its own one, else of all calls of its resource that have the same one.
  struct Limited {
    std::uint32_t resource = kNone;
    std::uint32_t target = kNone;  // kNone: not of one object
    std::uint64_t limit = 0;       // per second
    std::uint64_t calls = 0;       // that have ended
    std::uint64_t amount = 0;      // theirs
    std::uint64_t busy_ns = 0;     // it worked for calls, one after another, as long as the limit demands
    std::uint64_t longest_ns = 0;  // without a break
  };
  // Objects of one resource.
  struct Opened {
    std::uint32_t resource = kNone;
    std::uint64_t opened = 0;
    std::uint64_t closed = 0;
    std::uint64_t open = 0;  // now
    std::uint64_t most = 0;  // at a time
  };
  // When the process (of a part of a merged session) was stopped.
  struct Stop {
    std::uint32_t part = kNone;
    std::int64_t began_ns = 0;
    std::int64_t ended_ns = 0;
  };
  static constexpr std::size_t kMaxStops = 1000;  // listed, the first ones
  struct Stops {
    std::vector<Stop> all;
    std::uint64_t count = 0;
    std::uint64_t ns = 0;         // overlapping stops count once
    std::uint64_t not_timed = 0;  // without a valid duration; not counted elsewhere
  };
  // The timeline of the items must outlive it. A limit holds for all calls of its resource, whatever limits they or
  // their objects have. Tracing time is subtracted from calls if `subtract_event_ps` has the cost of one event, and
  // events of role overhead record the rest.
  Usage(Timeline& timeline, const Limits& limits, std::optional<std::uint64_t> subtract_event_ps = std::nullopt);

  void take(const TimelineItem& item);
  // Counts only from this moment on, which is not before the latest item; open calls continue.
  void restart(std::int64_t ns);

  // Rows for calls that have ended, or are open at the end of the range.
  std::vector<Row> rows() const;
  // At this moment, which is not before the latest item.
  std::vector<ThreadRow> threads(std::int64_t ns) const;
  const std::vector<Target>& targets() const;
  const std::vector<Opened>& opened() const;
  std::vector<Limited> limited() const;
  const Stops& stops() const;
  bool has_runs() const;  // threads were seen to run or stop
  // Threads with time that counts as kCpu because no event had recorded yet that they run or stop, until such a moment.
  std::uint64_t assumed(std::int64_t ns) const;
  // Uncertain part of the threads' time until such a moment: a state may have changed unseen, because of a loss.
  std::uint64_t uncertain_ns(std::int64_t ns) const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

// The number of an object without a name, for people: one that does not fit 32 bits is an address.
std::string object_number(std::uint64_t number);

}  // namespace evt
#pragma GCC visibility pop
