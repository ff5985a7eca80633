// evt stats cpu: running time of threads and cpus.
#include <evt/analysis/cpu_time.h>
#include <evt/analysis/state_history.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "libtrace-read/report/shared/analysis.h"

namespace evt::report {
namespace {

using CpuCells = std::vector<CpuTime::Cell>;

// The wanted rows and their order: threads, cpus, or each on the other.
struct CpuBy {
  explicit CpuBy(const std::vector<std::string>& words) {
    if (words.empty()) return;
    const auto has = [&](const char* word) { return std::ranges::find(words, word) != words.end(); };
    threads = has("thread");
    cpus = has("cpu");
    cpus_first = words.front() == "cpu";
  }

  bool threads = true;
  bool cpus = false;
  bool cpus_first = false;
};

struct CpuSum {
  std::uint64_t ns = 0;  // without idle_ns
  std::uint64_t slices = 0;
  std::uint64_t uncertain_ns = 0;
  std::uint64_t idle_ns = 0;
};
// By the actor that rows are sorted by, and the other.
using CpuSums = std::map<std::pair<std::uint32_t, std::uint32_t>, CpuSum>;

// Findings for the time between two moments.
struct CpuFound {
  const Actors& actors;
  const CpuTime& time;     // at the second
  const CpuCells& before;  // at the first
  const Timeline::Doubts& doubts;
  RunEnds run_ends;    // for the runs in progress at the second
  bool knows_current;  // else nothing is reported about the runs in progress there
};

constexpr std::uint32_t kAll = Actor::kNone;  // all actors of the other kind

CpuSums sums_of(const CpuCells& before, const CpuCells& after, const Actors& actors, const CpuBy& by) {
  CpuSums sums;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const CpuTime::Cell& cell = after[i];
    const CpuTime::Cell was = i < before.size() ? before[i] : CpuTime::Cell();
    const std::uint32_t thread = by.threads ? cell.thread : kAll;
    const std::uint32_t cpu = by.cpus ? cell.cpu : kAll;
    const bool is_idle = cell.thread < Actor::kOthers && actors.threads()[cell.thread].is_idle;
    if (is_idle && by.threads) continue;
    CpuSum& sum = sums[by.cpus_first ? std::pair(cpu, thread) : std::pair(thread, cpu)];
    if (is_idle) {
      sum.idle_ns += cell.ns - was.ns;
      continue;
    }
    sum.ns += cell.ns - was.ns;
    sum.slices += cell.slices - was.slices;
    sum.uncertain_ns += cell.uncertain_ns - was.uncertain_ns;
  }
  return sums;
}

std::uint64_t uncertain_in(const CpuCells& cells) {
  std::uint64_t ns = 0;
  for (const CpuTime::Cell& cell : cells) ns += cell.uncertain_ns;
  return ns;
}

bool can_show_runs(const Session& session) {
  return std::ranges::any_of(session.types, [](const EventType& type) { return type.has_role(Role::kThreadRun); });
}

class CpuTable {
 public:
  CpuTable(const CpuFound& found, const CpuBy& by) : found_(found), by_(by) {}

  Table of(TimeRange range, const CpuCells& after) const {
    std::vector<const char*> keys;
    if (by_.threads) keys = {"thread", "name"};
    if (by_.cpus) keys.insert(by_.cpus_first ? keys.begin() : keys.end(), {"cpu", "cpu name"});
    Table table = new_table("cpu", "cpu", keys);
    for (const auto& [key, sum] : in_order(sums_of(found_.before, after, found_.actors, by_))) {
      // It ran before.
      if (sum.ns == 0 && sum.slices == 0 && sum.idle_ns == 0) continue;
      const std::uint32_t thread = by_.cpus_first ? key.second : key.first;
      const std::uint32_t cpu = by_.cpus_first ? key.first : key.second;
      Table::Row row;
      if (by_.cpus && by_.cpus_first) add_actor(&row, found_.actors.cpus(), cpu);
      if (by_.threads) add_actor(&row, found_.actors.threads(), thread);
      if (by_.cpus && !by_.cpus_first) add_actor(&row, found_.actors.cpus(), cpu);
      row.push_back(sum.ns);
      row.push_back(percent_of(sum.ns, length_of(range)));
      add_current(&row, thread, by_.cpus ? cpu : kAll, range.to_ns);
      row.insert(row.end(), {sum.slices, sum.uncertain_ns, sum.idle_ns});
      table.add(std::move(row));
    }
    if (!by_.cpus) table.sort(*table.column("running"), false);
    if (!by_.threads || !found_.knows_current) table.hide_if_empty("current");
    return table;
  }

 private:
  using Line = std::pair<CpuSums::key_type, CpuSum>;

  std::vector<Line> in_order(const CpuSums& sums) const {
    std::vector<Line> lines(sums.begin(), sums.end());
    const ActorList first = by_.cpus_first ? found_.actors.cpus() : found_.actors.threads();
    const ActorList second = by_.cpus_first ? found_.actors.threads() : found_.actors.cpus();
    std::ranges::sort(lines, [&](const Line& a, const Line& b) {
      if (a.first.first != b.first.first) return comes_before(first, a.first.first, b.first.first);
      return comes_before(second, a.first.second, b.first.second);
    });
    return lines;
  }

  void add_actor(Table::Row* row, const ActorList& table, std::uint32_t index) const {
    row->push_back(actor_cell(found_.actors, table, index));
    row->push_back(actor_name(table, index));
  }

  // The latest run of a thread, if it was on that cpu: its length, and how much of it has passed, if it is in progress.
  void add_current(Table::Row* row, std::uint32_t thread, std::uint32_t cpu, std::int64_t ns) const {
    const bool is_latest = by_.threads && found_.knows_current && thread != Actor::kOthers &&
                           (cpu == kAll || found_.time.latest_cpu(thread) == cpu);
    const std::uint64_t until_now = is_latest ? found_.time.current(thread, ns) : 0;
    const bool goes_on = is_latest && found_.time.runs(thread);
    const RunEnds& ends = found_.run_ends;
    const auto end = goes_on ? ends.find(run_key(found_.actors.threads()[thread])) : ends.end();
    if (end != ends.end()) {
      row->push_back(until_now + length_of({ns, end->second}));
    } else {
      row->push_back(is_latest && !goes_on ? Cell(until_now) : Cell());
    }
    row->push_back(goes_on ? Cell(until_now) : Cell());
  }

  const CpuFound& found_;
  const CpuBy& by_;
};

Findings cpu_findings(const CpuFound& found, TimeRange range, const CpuBy& by) {
  Findings findings;
  const CpuCells after = found.time.cells(range.to_ns);
  findings.tables.push_back(CpuTable(found, by).of(range, after));
  if (!can_show_runs(found.actors.session())) {
    findings.add_missing("no event has role threadRun: running times are not known");
  } else if (findings.tables.back().rows().empty()) {
    findings.set_nothing("no thread was seen to run");
  }
  add_uncertain(uncertain_in(after) - uncertain_in(found.before), "the running time", &findings.notes);
  add_doubts(found.doubts, &findings.notes);
  add_others(found.actors, &findings);
  return findings;
}

class Cpu : public CopiedAnalysis<Cpu> {
 public:
  explicit Cpu(const AnalysisInput& input)
      : trace_(input.trace),
        timeline_(input.timeline),
        time_(input.cpu),
        by_(input.options.by),
        is_over_time_(input.options.every.has_value()) {}

  ItemKinds items() const override { return CpuTime::items(); }
  RoleSet rows() const override { return {}; }
  void take(const TimelineItem& item) override {
    if (item.event == nullptr) return;  // already known to be in progress
    time_.take(item);
    if (item.kind != ItemKind::kFold) return;
    before_ = time_.folded(before_);
  }
  void restart(std::int64_t ns) override {
    time_.settle(ns);
    before_ = time_.cells(ns);
  }
  Findings finish(TimeRange range) override {
    return cpu_findings({timeline_.actors(), time_, before_, timeline_.doubts(), run_ends(range.to_ns), !is_over_time_},
                        range, by_);
  }

 private:
  // Events after a range have not been read.
  RunEnds run_ends(std::int64_t ns) const {
    if (is_over_time_) return {};
    std::size_t number = 0;
    while (&trace_.sessions()[number] != &timeline_.actors().session()) ++number;
    return StateHistory(trace_, {}).run_ends(number, ns, timeline_.actors(), time_);
  }

  Trace& trace_;
  Timeline& timeline_;
  CpuTime time_;
  CpuBy by_;
  bool is_over_time_;
  CpuCells before_;  // state when counting began
};

}  // namespace

std::unique_ptr<Analysis> make_cpu(const AnalysisInput& input) { return std::make_unique<Cpu>(input); }

Findings cpu_of_states(const BetweenStates& states) {
  const auto& [before, after, run_ends, range, options] = states;
  return cpu_findings({after.actors, after.cpu, before.cpu.cells(range.from_ns), after.doubts, run_ends, true}, range,
                      CpuBy(options.by));
}

}  // namespace evt::report
