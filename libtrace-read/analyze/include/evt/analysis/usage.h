// What a program uses: calls of functions for objects of some kind of resource, how much of it, and how long that took;
// and what else its threads spend their time on.
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
  std::uint64_t ns = 0;             // without calls inside of them, and without what counts as stopped
  std::uint64_t stopped_ns = 0;     // the process was stopped meanwhile, and they would not have waited anyway
  std::uint64_t assumed_ns = 0;     // of stopped_ns: no limit gives how long they must take
  std::uint64_t subtracted_ns = 0;  // tracing took this much of what ns would be else
  Unnamed unnamed;

  void add(const CallSum& other);
};

// What a thread does that is in no call.
enum class Use : std::uint8_t {
  kCpu,       // it runs, or no event records that it does not
  kRunnable,  // it could run
  kOutside,   // it runs where no event records it
  kSleeping,  // it waits, or sleeps
  kUnknown,   // it does not run, and no event records why
  kAbsent,    // it does not exist
};

// Takes the items of one session in order; memory grows with threads, objects that are open, and what rows are of.
//
// While the process was stopped (role `stopped`), a thread that slept would have slept anyway, in a call or not, and
// one that did not lost that time. A call that uses a resource of which there is so much per second must take that
// long: of the stops in it, one after another, each counts as stopped by whose whole length the call took longer; of
// the others the resource may have gone on meanwhile, and nothing is moved. Calls for the resource `sleep` sleep. A
// resource serves calls that overlap one after another, in the order in which they end: what it still has to do for one
// when the next begins adds to what the next must take.
class Usage {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;
  static constexpr std::size_t kUses = 6;  // of Use

  using Limits = std::vector<std::pair<std::string, std::uint64_t>>;  // of resources, per second

  struct Row {
    std::uint32_t thread = 0;    // of Actors
    std::uint32_t function = 0;  // of Timeline::names()
    std::uint32_t target = 0;    // of targets()
    CallSum sum;
  };
  struct Times {
    std::uint64_t ns[kUses] = {};     // without what is stopped
    std::uint64_t moved[kUses] = {};  // of each use to stopped
  };
  struct ThreadRow {
    std::uint32_t thread = 0;
    Times times;
  };
  // What calls are for. Objects and resources are called by indexes of Timeline::names().
  struct Target {
    std::uint32_t resource = kNone;  // which kind of thing
    std::uint32_t name = kNone;      // of the object; kNone: it has none, or there is none
    std::uint64_t number = 0;        // of one without a name; 0: calls for no object
    std::uint32_t part = kNone;      // of a merged session
  };
  // Objects of one resource.
  struct Opened {
    std::uint32_t resource = kNone;
    std::uint64_t opened = 0;
    std::uint64_t closed = 0;
    std::uint64_t open = 0;  // now
    std::uint64_t most = 0;  // at a time
  };
  // When the process, of a part of a merged session, was stopped.
  struct Stop {
    std::uint32_t part = kNone;
    std::int64_t began_ns = 0;
    std::int64_t ended_ns = 0;
  };
  static constexpr std::size_t kMaxStops = 1000;  // that are listed, the first ones
  struct Stops {
    std::vector<Stop> all;
    std::uint64_t count = 0;
    std::uint64_t ns = 0;         // of which two at a time are one
    std::uint64_t not_timed = 0;  // without a duration that can be understood; not counted else
  };
  // The timeline of the items, which must outlive it. A limit holds for all calls of its resource, whatever limits they
  // or their objects have. What tracing took is subtracted from calls if `subtract_event_ps` has what one event takes,
  // and events of role overhead record what else did.
  Usage(Timeline& timeline, const Limits& limits, std::optional<std::uint64_t> subtract_event_ps = std::nullopt);

  void take(const TimelineItem& item);
  // Counts from this moment on alone, which is not before the latest item; calls that are open go on.
  void restart(std::int64_t ns);

  // Of calls that have ended, or are open where the range ends.
  std::vector<Row> rows() const;
  // At this moment, which is not before the latest item.
  std::vector<ThreadRow> threads(std::int64_t ns) const;
  const std::vector<Target>& targets() const;
  const std::vector<Opened>& opened() const;
  const Stops& stops() const;
  bool has_runs() const;  // threads were seen to run or stop
  // Threads of which time counts as kCpu as no event had recorded yet that they run or stop, until such a moment.
  std::uint64_t assumed(std::int64_t ns) const;
  // How much of the threads' time until such a moment is uncertain: a state may have changed unseen, because of a loss.
  std::uint64_t uncertain_ns(std::int64_t ns) const;

 private:
  class Impl;
  Opaque<Impl> impl_;
};

// How people see the number of an object that has no name: one that fits no 32 bits is an address.
std::string object_number(std::uint64_t number);

}  // namespace evt
#pragma GCC visibility pop
