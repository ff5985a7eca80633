// All rows of a session: which there are, and what they are in each column.
#pragma once

#include <evt/timeline.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "async_rows.h"
#include "counter_rows.h"
#include "cpu_rows.h"
#include "lanes.h"
#include "losses.h"
#include "object_rows.h"
#include "point_rows.h"
#include "sample_rows.h"
#include "span_rows.h"
#include "spark_rows.h"
#include "thread_lives.h"
#include "tracer_rows.h"

namespace evt::view {

// Takes the items of one session in order.
//
//   Rows rows(timeline, scale);
//   while (const TimelineItem* item = timeline.next()) rows.take(*item);
//   for (const Track& track : rows.tracks(wanted, scale.to_ns())) ...
class Rows {
 public:
  using Wanted = view::Wanted;

  // The timeline must outlive it.
  Rows(Timeline& timeline, const Scale& scale);
  // What another is, without its columns, to go on in columns of its own. `timeline` goes on where the other is.
  Rows(const Rows& other, Timeline& timeline, const Scale& scale);
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void take(const TimelineItem& item);
  // What the session's streams have, of which rows of events show what was not taken yet.
  void expect(const std::vector<Trace::RowsInTime>& rows) { points_.expect(rows); }
  // The same of rows of cpus.
  void expect(CpuLoads loads) { cpus_.expect(std::move(loads)); }
  // In columns twice as wide. REQUIRES: Scale::coarser().
  void coarsen();
  const Scale& scale() const { return scale_; }
  // Threads, objects and lanes of asynchronous spans that were met.
  std::size_t met() const { return lives_.all().size() + objects_.objects() + asyncs_.lanes(); }
  // How much it holds, in pieces of 16 bytes.
  std::size_t size() const;
  // Those that are wanted by kind and name; of kSpan the name is that of the thread. If there are several cpus, the
  // first one is the sum of them. What goes on does so until this time.
  std::vector<Track> tracks(const Wanted& wanted, std::int64_t until_ns) const {
    return tracks(wanted, plan(wanted, scale_, until_ns), object_plan(), scale_, until_ns);
  }
  // The same in other columns, as Zoom has them, with the lanes of another scale and the objects of another reading, by
  // which rows are the same ones in all pictures of a session. Only those of some keys: it costs as much as these.
  std::vector<Track> tracks(const Wanted& wanted, const LanePlan& plan, const ObjectPlan& objects, const Scale& as,
                            std::int64_t until_ns, const ShownKeys& keys = {}) const;
  LanePlan plan(const Wanted& wanted, const Scale& scale, std::int64_t until_ns) const {
    return Lanes::plan(lives_, spans_, scale, until_ns, wanted);
  }
  ObjectPlan object_plan() const { return objects_.plan(); }
  // Those of its tracks.
  const std::vector<RowGroup>& groups() const { return lives_.groups().all(); }
  // What other readings that go on from here go on with.
  const ThreadLives& lives() const { return lives_; }
  const SpanRows& spans() const { return spans_; }
  const AsyncRows& asyncs() const { return asyncs_; }
  const ObjectRows& objects() const { return objects_; }

 private:
  Scale scale_;
  Losses losses_;
  ThreadLives lives_;
  CpuRows cpus_;
  SpanRows spans_;
  SampleRows samples_;
  AsyncRows asyncs_;
  CounterRows counters_;
  PointRows points_;
  SparkRows sparks_;
  TracerRows tracer_;
  ObjectRows objects_;
};

}  // namespace evt::view
