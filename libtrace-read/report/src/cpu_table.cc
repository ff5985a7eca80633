#include "cpu_table.h"

#include <fmt/core.h>

#include <algorithm>

#include "number_with_unit.h"

namespace evt::report {
namespace {

constexpr std::uint32_t kAll = Actor::kNone;  // of the other kind of actor

CpuTable::Sums sums_of(const CpuCells& before, const CpuCells& after, const Actors& actors, const CpuTable::By& by) {
  CpuTable::Sums sums;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const CpuTime::Cell& cell = after[i];
    const CpuTime::Cell was = i < before.size() ? before[i] : CpuTime::Cell();
    const std::uint32_t thread = by.threads ? cell.thread : kAll;
    const std::uint32_t cpu = by.cpus ? cell.cpu : kAll;
    const bool is_idle = cell.thread < Actor::kOthers && actors.threads()[cell.thread].is_idle;
    if (is_idle && by.threads) continue;
    CpuTable::Sum& sum = sums[by.cpus_first ? std::pair(cpu, thread) : std::pair(thread, cpu)];
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
  return std::any_of(session.types.begin(), session.types.end(),
                     [](const EventType& type) { return type.has_role(Role::kThreadRun); });
}

}  // namespace

CpuTable::By::By(const std::vector<std::string>& words) {
  if (words.empty()) return;
  const auto has = [&](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  threads = has("thread");
  cpus = has("cpu");
  cpus_first = words.front() == "cpu";
}

CpuTable::CpuTable(const Actors& actors, const CpuTime& time, const By& by, bool is_over_time)
    : actors_(actors), time_(time), by_(by), is_over_time_(is_over_time), table_("cpu", 0, {}) {
  std::vector<const char*> keys;
  if (by.threads) keys = {"thread", "name"};
  if (by.cpus) keys.insert(by.cpus_first ? keys.begin() : keys.end(), {"cpu", "cpu name"});
  table_ = new_table("cpu", "cpu", keys);
}

void CpuTable::add_actor(Table::Row* row, const ActorList& table, std::uint32_t index) const {
  row->push_back(actor_cell(actors_, table, index));
  row->push_back(actor_name(table, index));
}

std::vector<CpuTable::Line> CpuTable::in_order(const Sums& sums) const {
  std::vector<Line> lines(sums.begin(), sums.end());
  const ActorList first = by_.cpus_first ? actors_.cpus() : actors_.threads();
  const ActorList second = by_.cpus_first ? actors_.threads() : actors_.cpus();
  std::sort(lines.begin(), lines.end(), [&](const Line& a, const Line& b) {
    if (a.first.first != b.first.first) return comes_before(first, a.first.first, b.first.first);
    return comes_before(second, a.first.second, b.first.second);
  });
  return lines;
}

// The latest run of a thread, if it was on that cpu: all of it, and how much of it has been, if it goes on.
void CpuTable::add_current(Table::Row* row, std::uint32_t thread, std::uint32_t cpu, std::int64_t ns,
                           const RunEnds& run_ends) const {
  const bool is_latest =
      by_.threads && !is_over_time_ && thread != Actor::kOthers && (cpu == kAll || time_.latest_cpu(thread) == cpu);
  const std::uint64_t until_now = is_latest ? time_.current(thread, ns) : 0;
  const bool goes_on = is_latest && time_.runs(thread);
  const auto end = goes_on ? run_ends.find(run_key(actors_.threads()[thread])) : run_ends.end();
  if (end != run_ends.end()) {
    row->push_back(until_now + length_of({ns, end->second}));
  } else {
    row->push_back(is_latest && !goes_on ? Cell(until_now) : Cell());
  }
  row->push_back(goes_on ? Cell(until_now) : Cell());
}

void CpuTable::add(TimeRange range, const CpuCells& before, const CpuCells& after, const RunEnds& run_ends) {
  for (const auto& [key, sum] : in_order(sums_of(before, after, actors_, by_))) {
    // It ran before.
    if (sum.ns == 0 && sum.slices == 0 && sum.idle_ns == 0) continue;
    const std::uint32_t thread = by_.cpus_first ? key.second : key.first;
    const std::uint32_t cpu = by_.cpus_first ? key.first : key.second;
    Table::Row row;
    if (by_.cpus && by_.cpus_first) add_actor(&row, actors_.cpus(), cpu);
    if (by_.threads) add_actor(&row, actors_.threads(), thread);
    if (by_.cpus && !by_.cpus_first) add_actor(&row, actors_.cpus(), cpu);
    row.push_back(sum.ns);
    row.push_back(percent_of(sum.ns, length_of(range)));
    add_current(&row, thread, by_.cpus ? cpu : kAll, range.to_ns, run_ends);
    row.push_back(sum.slices);
    row.push_back(sum.uncertain_ns);
    row.push_back(sum.idle_ns);
    table_.add(std::move(row));
  }
}

Table CpuTable::finish() {
  if (!by_.cpus) table_.sort(*table_.column("running"), false);
  if (!by_.threads || is_over_time_) table_.hide_if_empty("current");
  for (const char* const column : {"name", "cpu name", "so far", "uncertain", "idle"}) table_.hide_if_empty(column);
  return std::move(table_);
}

void add_doubts(const Timeline::Doubts& doubts, std::vector<std::string>* notes) {
  const auto add = [&](std::uint64_t count, const char* what, const char* so) {
    if (count > 0) notes->push_back(fmt::format("{}: {}: {}", what, count, so));
  };
  add(doubts.unmatched_stops, "stops of threads that did not run",
      "since when they ran is not known, and that time is not counted");
  add(doubts.replaced, "threads that did not stop before another ran on their cpu", "taken to have stopped then");
  add(doubts.moved, "threads that did not stop before they ran on another cpu", "taken to have stopped then");
  add(doubts.jumps, "steps back in time", "until a stream is where it was, what goes on there lasts no time");
}

Findings cpu_findings(const Actors& actors, const CpuFound& found, const CpuCells& before, TimeRange range,
                      const CpuTable::By& by) {
  Findings findings;
  const CpuCells after = found.time.cells(range.to_ns);
  CpuTable table(actors, found.time, by, found.is_over_time);
  table.add(range, before, after, found.run_ends);
  findings.tables.push_back(table.finish());
  if (!can_show_runs(actors.session())) {
    findings.add_missing("no event has role threadRun: running times are not known");
  } else if (findings.tables.back().rows().empty()) {
    findings.set_nothing("no thread was seen to run");
  }
  add_uncertain(uncertain_in(after) - uncertain_in(before), "the running time", &findings.notes);
  add_doubts(found.doubts, &findings.notes);
  add_others(actors, &findings);
  return findings;
}

}  // namespace evt::report
