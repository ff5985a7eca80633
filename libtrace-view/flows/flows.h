// The flows of a session that touch a range of time.
#pragma once

#include <evt/timeline.h>

#include <functional>
#include <vector>

#include "flow.h"
#include "open_flows.h"

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

  // What lives and flows are at a moment of the session.
  struct Moment {
    const ThreadLives& lives;
    const OpenFlows& open;
  };

  // The actors must outlive it, but for finish().
  Flows(Actors& actors, Options options);
  // Goes on from a moment before the range: takes the items behind it.
  Flows(Actors& actors, const Moment& from, Options options);
  Flows(const Flows&) = delete;
  Flows& operator=(const Flows&) = delete;

  void take(const TimelineItem& item);
  // Further items change nothing: all that began in the range, or before, has ended.
  bool is_done() const { return is_behind_ && open_.is_empty(); }
  // There are no more items.
  void finish();
  // The first of those that are wanted, as they were completed.
  const std::vector<Flow>& all() const { return flows_; }
  // How many more there are.
  std::uint64_t more() const { return more_; }

 private:
  void add(const Flow& flow);

  Options options_;
  Scale scale_;  // of lives: their columns are not looked at
  ThreadLives lives_;
  OpenFlows open_;
  std::vector<Flow> flows_;
  std::uint64_t more_ = 0;
  bool is_behind_ = false;  // time has reached what is behind the range
};

}  // namespace evt::view
