// The flows of a session that touch a range of time.
#pragma once

#include <evt/timeline.h>

#include <functional>
#include <optional>
#include <vector>

#include "flow.h"
#include "open_messages.h"
#include "steals.h"

namespace evt::view {

// Takes the items of one session in order. Memory grows with threads, with what is open, and with what is listed.
//
//   Flows flows(timeline.actors(), {range, 300, wanted});
//   for (const TimelineItem* item; !flows.is_done() && (item = timeline.next()) != nullptr;) flows.take(*item);
//   flows.finish();
class Flows {
 public:
  struct Options {
    TimeRange range;  // both ends included
    std::size_t most = 0;
    std::function<bool(const Flow&)> wanted{};  // all are, without
  };

  // The actors must outlive it, but for finish().
  Flows(Actors& actors, Options options);
  Flows(const Flows&) = delete;
  Flows& operator=(const Flows&) = delete;

  void take(const TimelineItem& item);
  // Further items change nothing: all that began in the range, or before, has ended.
  bool is_done() const { return is_behind_ && wakes_ == 0 && messages_.on_their_way() == 0; }
  // There are no more items.
  void finish();
  // The first of those that are wanted, as they were completed.
  const std::vector<Flow>& all() const { return flows_; }
  // How many more there are.
  std::uint64_t more() const { return more_; }

 private:
  void take_message(const TimelineItem& item);
  void wake(const TimelineItem& item);
  void end_wake(std::uint32_t thread, const TimelineItem* runs);
  void add(const Flow& flow);
  FlowEnd end_of(std::uint32_t thread, const TimelineItem& item) const;

  Actors* actors_;
  Options options_;
  Scale scale_;  // of lives: their columns are not looked at
  ThreadLives lives_;
  Steals steals_;
  OpenMessages messages_;
  std::vector<std::optional<Flow>> woken_;  // by the indexes of threads: those that have not run since
  std::size_t wakes_ = 0;                   // of them
  std::vector<Flow> flows_;
  std::uint64_t more_ = 0;
  bool is_behind_ = false;  // time has reached what is behind the range
};

}  // namespace evt::view
