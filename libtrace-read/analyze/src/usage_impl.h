// The data of Usage.
#pragma once

#include <evt/analysis/usage.h>

#include <optional>
#include <vector>

#include "flat_map.h"
#include "index_table.h"
#include "limited_use.h"
#include "objects.h"
#include "thread_usage.h"
#include "tracing_cost.h"
#include "uncertain_time.h"

namespace evt {

class Usage::Impl {
 public:
  Impl(Timeline& timeline, const Limits& limits, std::optional<std::uint64_t> subtract_event_ps);

  void take(const TimelineItem& item);
  void restart(std::int64_t ns);
  std::vector<Row> rows() const;
  std::vector<ThreadRow> threads(std::int64_t ns) const;
  const Objects& objects() const { return objects_; }
  const LimitedUse& limited() const { return limited_; }
  const Stops& stops() const { return stops_; }
  bool has_runs() const { return has_runs_ || timeline_->records_runs(); }
  std::uint64_t assumed(std::int64_t ns) const;
  std::uint64_t uncertain_ns(std::int64_t ns) const { return uncertain_.ns(ns); }

 private:
  struct Place {
    std::uint32_t thread = 0;
    std::uint32_t function = 0;
    std::uint32_t target = 0;
  };
  struct Stopped {
    std::uint64_t number = 0;  // the current stop's; 0: none
    std::int64_t since_ns = 0;
  };

  void change_state(const TimelineItem& item);
  void begin(const TimelineItem& item);
  void end(const TimelineItem& item);
  void find_target(const CallFacts& facts, std::uint32_t part, ThreadUsage::Frame* frame);
  std::uint64_t expected_ns(const ThreadUsage::Frame& frame, const TimelineItem& item);
  void count_limited(const TimelineItem& item, const ThreadUsage::Frame& frame);
  void count(const TimelineItem& item, const ThreadUsage::Frame& frame, std::uint64_t tracing_ns);
  std::uint64_t moved_ns(const ThreadUsage::Frame& frame, std::uint64_t must_ns) const;
  void stop(const TimelineItem& item);
  void fold(const FoldedActors& gone, std::int64_t ns);
  std::uint32_t sum_of(std::uint32_t thread, std::uint32_t function, std::uint32_t target);
  void expect_end(const TimelineItem& item, ThreadUsage::Frame* frame);
  std::uint64_t spent_on(const StreamInfo& stream) const { return cost_ ? cost_->spent_ps(stream) : 0; }

  Timeline* timeline_;
  std::uint32_t sleep_;  // the name of the resource
  Objects objects_;
  bool has_runs_ = false;
  std::int64_t counted_from_ = INT64_MIN;
  FlatMap<std::uint64_t> limits_;  // by resource
  std::vector<ThreadUsage> threads_;
  ThreadUsage::Times of_folded_;  // totals
  FlatMap<std::uint32_t> pairs_;  // key: a function and a target
  IndexTable by_thread_;          // key: a thread and such a pair; value: its sum
  std::vector<Place> places_;     // place of each sum
  std::vector<CallSum> sums_;
  std::optional<TracingCost> cost_;
  LimitedUse limited_;
  FlatMap<std::int64_t> busy_until_;  // for resources that have a limit
  std::vector<Stopped> stopped_;      // by part; the first for processes without one
  std::uint64_t last_stop_ = 0;
  std::uint32_t stopped_parts_ = 0;
  std::int64_t any_stopped_since_ = 0;
  Stops stops_;
  UncertainTime uncertain_;
};

}  // namespace evt
