// What a program uses: calls of functions for objects of some kind of resource, how much of it, and how long that took;
// and what else its threads spend their time on.
#pragma once

#include <evt/analysis/call_cost.h>
#include <evt/analysis/event_names.h>
#include <evt/analysis/objects.h>
#include <evt/analysis/occupancy.h>
#include <evt/analysis/stop_reasons.h>
#include <evt/analysis/thread_usage.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Takes the events of one session in order; memory grows with threads, objects that are open, and what rows are of. Of
// a thread that was folded, what is learned later counts as too late.
//
// While the process was stopped (role `stopped`), a thread that slept would have slept anyway, and one in no call lost
// that time. A call that uses a resource of which there is so much per second must take that long: if it took longer by
// all the time that the process was stopped, the stop delayed it, and that time counts as stopped; if not, the resource
// may have gone on meanwhile, and nothing is moved. A resource serves calls that overlap one after another, in the
// order in which they end: what it still has to do for one when the next begins adds to what the next must take.
class Usage {
 public:
  static constexpr std::uint32_t kNone = Actor::kNone;

  using Limits = std::vector<std::pair<std::string, std::uint64_t>>;  // of resources, per second

  struct Row {
    std::uint32_t thread = 0;    // of Actors
    std::uint32_t function = 0;  // of names()
    std::uint32_t target = 0;    // of objects().targets()
    CallSum sum;
  };
  struct ThreadRow {
    std::uint32_t thread = 0;
    ThreadUsage::Times times;
  };
  struct Doubts {
    std::uint64_t unmatched_ends = 0;  // of calls that had not begun
    std::uint64_t unended = 0;         // calls around them ended, or their thread
    std::uint64_t not_timed = 0;       // calls and stops without a duration that can be understood
    std::uint64_t forgotten_ns = 0;    // of calls and stops, recorded too late to find out what threads did then
    std::uint64_t lost_in = 0;         // calls during which events were lost
    std::uint64_t uncertain_ns = 0;    // of the threads' time: events of their streams were lost meanwhile
    std::uint64_t begun_before = 0;    // calls that were open when counting began
  };

  // The actors of the events, which must outlive it. A limit holds where neither the call nor its object has one. What
  // tracing took is subtracted from calls if `subtract_event_ps` has what one event takes, and events of role
  // overhead record what else did.
  Usage(Actors& actors, const Limits& limits, std::optional<std::uint64_t> subtract_event_ps = std::nullopt);

  void take(const RoleEvent& event);
  // Counts from this moment on alone, which is not before the latest event; calls that are open go on.
  void restart(std::int64_t ns);

  // At this moment, which is not before the latest event.
  std::vector<Row> rows(std::int64_t ns) const;
  std::vector<ThreadRow> threads(std::int64_t ns) const;
  const EventNames& names() const { return names_; }
  const Objects& objects() const { return objects_; }
  std::uint64_t open_now() const;
  bool has_runs() const { return has_runs_; }  // threads were seen to run or stop
  Doubts doubts() const;
  const Occupancy::Doubts& thread_doubts() const { return occupancy_.doubts(); }

 private:
  struct Place {
    std::uint32_t thread = 0;
    std::uint32_t function = 0;
    std::uint32_t target = 0;
  };

  void fold(const RoleEvent& event);
  void follow_others(const RoleEvent& event);
  void end_all(ThreadUsage* thread, std::int64_t ns);
  ThreadUsage& meet(const RoleEvent& event);
  void follow(const RoleEvent& event);
  void begin(const RoleEvent& event);
  void end(const RoleEvent& event);
  void complete(const RoleEvent& event);
  void stop(const RoleEvent& event);
  void lose(const RoleEvent& event);
  ThreadUsage::Call call_of(const RoleEvent& event);
  std::uint32_t sum_of(std::uint32_t thread, std::uint32_t function, std::uint32_t target);
  void expect(ThreadUsage::Call* call, std::int64_t ns);

  Actors* actors_;
  EventNames names_;
  Objects objects_;
  Occupancy occupancy_;
  StopReasons reasons_;
  bool has_runs_ = false;
  bool looks_back_;  // calls are recorded at their end, or stops are
  std::int64_t counted_from_ = INT64_MIN;
  FlatMap<std::uint64_t> limits_;  // by resource
  std::vector<ThreadUsage> threads_;
  ThreadUsage::Times of_folded_;        // of them all
  std::vector<std::uint32_t> streams_;  // the place of that which recorded each thread last
  FlatMap<std::uint32_t> pairs_;        // of a function and a target
  FlatMap<std::uint32_t> by_thread_;    // of a thread and such a pair: its sum
  std::vector<Place> places_;           // of sums
  std::vector<CallSum> sums_;
  std::optional<CallCost> cost_;
  FlatMap<std::int64_t> busy_until_;  // of resources, or targets, that have a limit
  Doubts doubts_;
};

}  // namespace evt
#pragma GCC visibility pop
