// What Usage holds.
#pragma once

#include <evt/analysis/usage.h>

#include <optional>
#include <vector>

#include "actors_impl.h"
#include "call_cost.h"
#include "flat_map.h"
#include "objects.h"
#include "occupancy.h"
#include "stop_reasons.h"
#include "thread_usage.h"

namespace evt {

class Usage::Impl {
 public:
  Impl(Actors::Impl& actors, const Limits& limits, std::optional<std::uint64_t> subtract_event_ps);

  void take(const RoleEvent& event);
  void restart(std::int64_t ns);
  std::vector<Row> rows(std::int64_t ns) const;
  std::vector<ThreadRow> threads(std::int64_t ns) const;
  const EventNames& names() const { return names_; }
  const Objects& objects() const { return objects_; }
  std::uint64_t open_now() const;
  bool has_runs() const { return has_runs_; }
  Doubts doubts() const;
  const CpuTime::Doubts& thread_doubts() const { return occupancy_.doubts(); }

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

  Actors::Impl* actors_;
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
