// All rows of a session: which there are, and what they are in each column.
#pragma once

#include <evt/timeline.h>

#include <functional>
#include <string>
#include <vector>

#include "counter_rows.h"
#include "cpu_rows.h"
#include "lanes.h"
#include "losses.h"
#include "point_rows.h"
#include "span_rows.h"
#include "thread_lives.h"

namespace evt::view {

// Takes the items of one session in order.
//
//   Rows rows(timeline, scale);
//   while (const TimelineItem* item = timeline.next()) rows.take(*item);
//   for (const Track& track : rows.tracks(wanted)) ...
class Rows {
 public:
  using Wanted = Lanes::Wanted;

  // They must outlive it.
  Rows(Timeline& timeline, const Scale& scale);

  void take(const TimelineItem& item);
  // Time ends.
  void finish(std::int64_t ns);
  // Those that are wanted by kind and name; of kSpan the name is that of the thread. If there are several cpus, the
  // first one is the sum of them.
  std::vector<Track> tracks(const Wanted& wanted) const { return tracks(wanted, plan(wanted)); }
  // The same with the lanes of another scale, by which rows are the same ones in all pictures of a session.
  std::vector<Track> tracks(const Wanted& wanted, const LanePlan& plan) const;
  LanePlan plan(const Wanted& wanted) const { return Lanes(lives_, spans_, losses_, *scale_).plan(wanted); }

 private:
  Losses losses_;
  CpuRows cpus_;
  ThreadLives lives_;
  SpanRows spans_;
  CounterRows counters_;
  PointRows points_;
  const Scale* scale_;
};

}  // namespace evt::view
