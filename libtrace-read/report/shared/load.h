// How many threads ran, and how many events were recorded, over the time of a session.
#pragma once

#include <evt/analysis/cpu_time.h>
#include <evt/analysis/event_counts.h>
#include <evt/report_table.h>

#include <map>
#include <vector>

namespace evt::report {

// Takes the items of one session in order. Its time is in at most kMost steps of one length, which doubles as it grows.
// Refers to the actors.
class Load {
 public:
  static constexpr std::size_t kMost = 48;

  explicit Load(const Actors& actors) : actors_(&actors) {}

  static ItemKinds items();
  void take(const TimelineItem& item);
  // Counts from this moment on.
  void begin(std::int64_t ns);
  // A row for each step until this moment.
  Table table(std::int64_t to_ns) const;

 private:
  // What was counted until then.
  struct Moment {
    std::int64_t ns = 0;
    std::uint64_t running_ns = 0;
    std::uint64_t events = 0;
    std::map<std::uint32_t, std::uint64_t> perhaps_idle_ns;  // the part of threads that may prove to be none
  };

  Moment moment(std::int64_t ns) const;
  std::uint64_t running_ns(const Moment& at) const;
  std::int64_t next_ns() const;
  void reach(std::int64_t ns);

  const Actors* actors_;
  CpuTime time_;
  EventCounts counts_;
  std::int64_t length_ns_ = 1;
  std::vector<Moment> moments_;  // where steps begin; empty: not begun
};

}  // namespace evt::report
