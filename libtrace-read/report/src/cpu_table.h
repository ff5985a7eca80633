// Running time of threads and cpus as a table.
#pragma once

#include <evt/analysis/cpu_time.h>
#include <evt/analysis/state_history.h>

#include <map>
#include <utility>
#include <vector>

#include "analysis.h"

namespace evt::report {

using CpuCells = std::vector<CpuTime::Cell>;

class CpuTable {
 public:
  // Which rows are wanted, and in which order they stand: of threads, cpus, or each on the other.
  struct By {
    bool threads = true;
    bool cpus = false;
    bool cpus_first = false;

    explicit By(const std::vector<std::string>& words);
  };

  struct Sum {
    std::uint64_t ns = 0;
    std::uint64_t slices = 0;
    std::uint64_t uncertain_ns = 0;
    std::uint64_t idle_ns = 0;  // of cpus: without, it would be of ns
  };
  // By the actor that rows are sorted by, and the other.
  using Sums = std::map<std::pair<std::uint32_t, std::uint32_t>, Sum>;

  // `is_over_time`: of one of many stretches, so without `current`. Refers to the actors and their time.
  CpuTable(const Actors& actors, const CpuTime& time, const By& by, bool is_over_time);

  // What was between two moments, of which the cells are given.
  void add(TimeRange range, const CpuCells& before, const CpuCells& after, const RunEnds& run_ends);
  Table finish();

 private:
  using Line = std::pair<std::pair<std::uint32_t, std::uint32_t>, Sum>;

  std::vector<Line> in_order(const Sums& sums) const;
  void add_current(Table::Row* row, std::uint32_t thread, std::uint32_t cpu, std::int64_t ns,
                   const RunEnds& run_ends) const;
  void add_actor(Table::Row* row, const ActorList& table, std::uint32_t index) const;

  const Actors& actors_;
  const CpuTime& time_;
  By by_;
  bool is_over_time_;
  Table table_;
};

// Sentences about what does not fit together.
void add_doubts(const Timeline::Doubts& doubts, std::vector<std::string>* notes);

// What was found, and what of it did not fit together.
struct CpuFound {
  const CpuTime& time;
  const Timeline::Doubts& doubts;
  RunEnds run_ends;   // of the runs that go on at the end of the range
  bool is_over_time;  // of one of many stretches
};

// All results of evt stats cpu for the time between two moments; `before`: the cells at the first of them.
Findings cpu_findings(const Actors& actors, const CpuFound& found, const CpuCells& before, TimeRange range,
                      const CpuTable::By& by);

}  // namespace evt::report
