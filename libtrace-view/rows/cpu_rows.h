// What each cpu does: it runs a thread, or its collector collects garbage.
#pragma once

#include <evt/analysis/state_history.h>
#include <evt/timeline.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "row_groups.h"
#include "shares.h"
#include "state_runs.h"
#include "track.h"
#include "track_view.h"

namespace evt::view {

// How long cpus ran up to some moments of a session, by the checkpoints of its trace, where it has any: known before
// all of it was read.
class CpuLoads {
 public:
  // None.
  CpuLoads() = default;
  // Of up to this many checkpoints of a session.
  CpuLoads(StateHistory& history, std::size_t session, std::size_t most);

  bool is_empty() const { return moments_.size() < 2; }
  // Adds how long the cpu runs in each column, from a time on: between two moments evenly, so it is exact from one to
  // another.
  void show(const Actor& cpu, const Scale& scale, std::int64_t from_ns, Shares* shares) const;

 private:
  struct OfCpu {
    Actor cpu;
    std::vector<std::uint64_t> ns;  // up to each moment; no more at moments before it was met
  };

  void add(std::int64_t ns, const SessionState& state);
  OfCpu* of(const Actor& cpu);
  // How long it ran up to a time, between the moment before this one and this one.
  std::uint64_t until(const OfCpu& cpu, std::size_t moment, std::int64_t ns) const;

  std::vector<std::int64_t> moments_;
  std::vector<OfCpu> cpus_;
};

// A row for each cpu of Actors, and for each stream that collects, unless it does so on a thread that has a row: then
// that thread collects, and the cpu on which it is. Where a thread runs and the collector works at once, it collects: a
// pause is to be seen.
class CpuRows {
 public:
  // Actors number cpus in the order in which they are met, and streams that collect are cpus. Other readings of a
  // session that are to have the same numbers pass all items here.
  static void number(Actors& actors, const TimelineItem& item);

  CpuRows(Actors& actors, const RowGroups& groups, const Scale& scale)
      : actors_(&actors), groups_(&groups), streams_(actors.session().streams.data()), scale_(&scale) {}

  void take(const TimelineItem& item) {
    if (item.kind != ItemKind::kRow) take_change(item);
  }
  // What another is, without its columns.
  void go_on_from(const CpuRows& other);
  // In columns twice as wide; before the scale changes.
  void coarsen();
  std::size_t size() const;
  // What is known of what was not taken yet: that is drawn from where tracks end.
  void expect(CpuLoads loads) { expected_ = std::move(loads); }
  // Of several cpus on which threads run the sum, and the wanted ones in order of parts and numbers. Cpus of one number
  // in parts of one machine count as one.
  std::vector<Track> tracks(const TrackView& view, const Wanted& wanted) const;

 private:
  static constexpr std::int64_t kCertain = INT64_MAX;

  struct State {
    std::uint32_t thread = Actor::kNone;  // that runs there
    CollectorPhase phase = CollectorPhase::kNone;
    std::int64_t uncertain_since = kCertain;
    bool is_met = false;
    bool runs_threads = false;  // or has none to run; false: it is but a stream that collects
    StreamSet streams;
  };
  struct Cpu : State {
    Course course;
    Bands uncertain;
  };

  void take_change(const TimelineItem& item);
  Cpu& at(std::uint32_t cpu);
  void change_thread(const TimelineItem& item);
  void change_phase(const TimelineItem& item, CollectorPhase phase);
  void leave(std::uint32_t thread, std::int64_t ns);
  void show(Cpu* cpu, std::int64_t ns);
  void meet(Cpu* cpu, const StreamInfo* stream, bool runs_threads);
  std::vector<std::uint32_t> in_order() const;
  Track track_of(std::uint32_t index, const TrackView& view) const;
  // With the index of its cpu.
  using Shown = std::pair<std::uint32_t, Track>;
  // Of those on which threads run.
  Track sum_of(const std::vector<Shown>& cpus) const;
  void add_expected(const Actor& cpu, const TrackView& view, Track* track) const;

  Actors* actors_;
  const RowGroups* groups_;
  const StreamInfo* streams_;  // the session's
  const Scale* scale_;
  std::vector<Cpu> cpus_;                                // by the indexes of Actors
  std::vector<std::uint32_t> where_;                     // each thread runs
  std::map<const StreamInfo*, std::uint32_t> works_on_;  // which thread, the collector of a stream; kNone: it is a cpu
  std::vector<CollectorPhase> phases_;                   // of collectors, by that thread
  std::set<std::uint32_t> held_;                         // threads on which they work, on no cpu that is known
  CpuLoads expected_;
};

}  // namespace evt::view
