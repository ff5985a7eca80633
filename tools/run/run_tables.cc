#include "run/run_tables.h"

#include <evt/saturating_add.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "libtrace-read/report/shared/call_tables.h"
#include "libtrace-read/report/shared/counts_table.h"
#include "libtrace-read/report/shared/thread_groups.h"
#include "libtrace-read/report/shared/usage_tables.h"
#include "libtrace-record/collect/call_bytes.h"

namespace evt::tools {
namespace {

constexpr std::size_t kThreads = 12;
constexpr std::size_t kRows = 10;
constexpr std::size_t kCounted = 20;

struct ObjectSum {
  std::uint64_t calls = 0;
  std::uint64_t read = 0;
  std::uint64_t written = 0;
  std::uint64_t ns = 0;
};

std::uint64_t added(record::CallBytes wanted, const std::string& function, std::uint64_t amount) {
  return record::bytes_of(function) == wanted ? amount : 0;
}

// Names that C and C++ reserve for their implementation: what stands between a program's functions.
bool is_of_implementation(std::string_view function) {
  if (function.starts_with("void ")) function.remove_prefix(5);
  const bool is_reserved =
      function.size() > 1 && function[0] == '_' && (function[1] == '_' || isupper(function[1]) != 0);
  return is_reserved || function.starts_with("std::") || function == "operator()";
}

}  // namespace

RunTables::RunTables(Timeline& timeline)
    : timeline_(timeline),
      usage_(timeline, {}),
      spans_(timeline, {}),
      share_(timeline, ShareModel::kRunning),
      counts_(timeline, {.thread = false, .caller = false}),
      stacks_(timeline, {}),
      waits_(timeline, {.waiting = true}) {}

void RunTables::take(const TimelineItem& item) {
  usage_.take(item);
  spans_.take(item);
  share_.take(item);
  times_.take(item);
  counts_.take(item);
  stacks_.take(item);
  waits_.take(item);
  unreturned_.take(item);
}

void RunTables::finish(std::int64_t ns) {
  end_ns_ = ns;
  rows_ = usage_.rows();
}

std::string RunTables::thread_name(std::uint32_t thread) const {
  if (thread == Actor::kOthers) return "(others)";
  const Actor& actor = timeline_.actors().threads()[thread];
  return actor.name.empty() ? "-" : actor.name;
}

bool RunTables::is_lock(std::uint32_t resource) const {
  return resource != Usage::kNone && report::is_lock(timeline_.names().text(resource));
}

Table RunTables::threads() const {
  Table table("threads", 2,
              {{"thread", CellKind::kCount},
               {"name", CellKind::kText},
               {"running", CellKind::kDuration},
               {"runnable", CellKind::kDuration},
               {"waiting", CellKind::kDuration},
               {"slices", CellKind::kCount},
               {"cpus", CellKind::kCount}});
  std::uint64_t rest = 0;
  std::vector<ThreadTimes::Row> rows = times_.rows(end_ns_);
  // Those of the recording are one row, behind the program's.
  std::uint64_t recording = 0;
  std::erase_if(rows, [&](const ThreadTimes::Row& row) {
    const bool is_recording = thread_name(row.thread) == Actor::kRecorder;
    if (is_recording) recording += row.ns[static_cast<int>(ThreadState::kRunning)];
    return is_recording;
  });
  const auto running = [](const ThreadTimes::Row& row) { return row.ns[static_cast<int>(ThreadState::kRunning)]; };
  std::ranges::sort(rows, [&](const auto& a, const auto& b) { return running(a) > running(b); });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ThreadTimes::Row& row = rows[i];
    if (i >= kThreads) {
      rest += running(row);
      continue;
    }
    table.add({timeline_.actors().threads()[row.thread].number, thread_name(row.thread), running(row),
               row.ns[static_cast<int>(ThreadState::kRunnable)], row.ns[static_cast<int>(ThreadState::kWaiting)],
               row.slices, row.cpus});
  }
  if (rows.size() > kThreads) {
    table.add({Cell(), fmt::format("({} others)", rows.size() - kThreads), rest, Cell(), Cell(), Cell(), Cell()});
  }
  if (recording > 0) table.add({Cell(), "(recording)", recording, Cell(), Cell(), Cell(), Cell()});
  return table;
}

std::string RunTables::code_note() const { return report::truncated_stacks(stacks_); }

Table RunTables::code() const {
  report::ThreadGroups all(timeline_.actors(), report::ThreadGroups::By::kAll, {});
  const report::CallTables tables(timeline_, report::CallTables::kStacks, {stacks_.nodes(), stacks_.inside()}, &all);
  const Table names = tables.names({});
  Table table("code", 1,
              {{"function", CellKind::kText, true},
               {"self", CellKind::kDuration},
               {"self %", CellKind::kPercent},
               {"total", CellKind::kDuration},
               {"total %", CellKind::kPercent}});
  for (const Table::Row& row : names.rows()) {
    Table::Row cells;
    for (const char* const column : {"name", "self", "self %", "sum", "sum %"})
      cells.push_back(row[*names.column(column)]);
    table.add(std::move(cells));
  }
  table.keep_first(kRows);
  return table;
}

// The recorder puts the called function, and the object's name if it has one, in front of the frames of the stack.
RunTables::LongWait RunTables::long_wait(const CallPaths::Node& innermost) const {
  constexpr std::size_t kCallers = 3;
  if (innermost.is_other_paths()) return {"", "(other paths)", ""};
  const std::vector<CallPaths::Node>& nodes = waits_.nodes();
  const auto text = [&](const CallPaths::Node& node) { return timeline_.names().text(node.name); };
  const auto is_of_call = [&](const CallPaths::Node& node) {
    return !node.is_root() && waits_.module_of(node.name).empty() && !text(node).starts_with('[');
  };
  LongWait wait;
  const CallPaths::Node* at = &innermost;
  if (is_of_call(nodes[at->parent])) {
    wait.object = text(*at);
    at = &nodes[at->parent];
  }
  wait.function = text(*at);
  at = &nodes[at->parent];
  std::vector<std::string> callers;
  for (; !at->is_root() && text(*at) != "main"; at = &nodes[at->parent]) callers.push_back(text(*at));
  // Only where that leaves any.
  if (!std::ranges::all_of(callers, is_of_implementation)) std::erase_if(callers, is_of_implementation);
  callers.resize(std::min(callers.size(), kCallers));
  wait.callers = fmt::format("{}", fmt::join(callers.rbegin(), callers.rend(), " -> "));
  return wait;
}

Table RunTables::long_waits() const {
  Table table("long waits", 1,
              {{"long waits for", CellKind::kText, true},
               {"in", CellKind::kText},
               {"time", CellKind::kDuration},
               {"%", CellKind::kPercent},
               {"reached through", CellKind::kText, true}});
  std::map<LongWait, std::uint64_t> waits;
  std::uint64_t sum = 0;
  for (const CallPaths::Node& node : waits_.nodes()) {
    if (node.is_root() || node.self.ns == 0) continue;
    waits[long_wait(node)] += node.self.ns;
    sum += node.self.ns;
  }
  for (const auto& [wait, ns] : waits) {
    table.add({wait.object.empty() ? Cell() : Cell(wait.object), wait.function, ns, percent_of(ns, sum),
               wait.callers.empty() ? Cell() : Cell(wait.callers)});
  }
  table.sort(*table.column("time"), false);
  table.keep_first(kRows);
  return table;
}

Table RunTables::waiting() const {
  Table table("waiting", 1,
              {{"in calls for", CellKind::kText},
               {"calls", CellKind::kCount},
               {"time", CellKind::kDuration},
               {"opened", CellKind::kCount},
               {"most open", CellKind::kCount}});
  struct Sum {
    std::uint64_t calls = 0;
    std::uint64_t ns = 0;
    std::uint64_t opened = 0;
    std::uint64_t most = 0;
  };
  std::map<std::uint32_t, Sum> sums;
  for (const Usage::Row& row : rows_) {
    Sum& sum = sums[usage_.targets()[row.target].resource];
    sum.calls += row.sum.calls;
    sum.ns += row.sum.ns;
  }
  for (const Usage::Opened& opened : usage_.opened()) {
    sums[opened.resource].opened = opened.opened;
    sums[opened.resource].most = opened.most;
  }
  for (const auto& [resource, sum] : sums) {
    if (sum.calls + sum.opened == 0) continue;
    table.add({resource != Usage::kNone ? timeline_.names().text(resource) : std::string("others"), sum.calls, sum.ns,
               sum.opened, sum.most});
  }
  table.sort(*table.column("time"), false);
  table.hide_if_empty("opened");
  table.hide_if_empty("most open");
  return table;
}

Table RunTables::calls(std::uint64_t elapsed_ns) const {
  Table table("calls", 1,
              {{"function", CellKind::kText},
               {"calls", CellKind::kCount},
               {"total", CellKind::kDuration},
               {"self", CellKind::kDuration},
               {"share", CellKind::kPercent}});
  std::map<std::uint32_t, Uint128> shares;
  for (const Share::Row& row : share_.rows(end_ns_)) {
    if (row.is_call) shares[row.name] += row.time.share;
  }
  // As the table of what calls are for has it: of what has not returned until that was over.
  std::map<std::uint32_t, std::uint64_t> selves;
  for (const Usage::Row& row : rows_) selves[row.function] += row.sum.ns;
  for (const Spans::Row& row : spans_.rows(SpanKind::kCall)) {
    if (row.is_empty()) continue;
    const std::uint64_t share = shares[row.name].high;
    const std::uint64_t self = selves[row.name];
    table.add({timeline_.names().text(row.name), row.lengths.count() + row.unfinished,
               std::max(self, row.sum_ns + unreturned_.ns_of(row.name)), self, percent_of(share, elapsed_ns)});
  }
  table.sort(*table.column("total"), false);
  table.keep_first(kRows);
  return table;
}

Table RunTables::objects() const {
  Table table("files", 2,
              {{"file or socket", CellKind::kText, true},
               {"kind", CellKind::kText},
               {"calls", CellKind::kCount},
               {"read", CellKind::kBytes},
               {"written", CellKind::kBytes},
               {"time", CellKind::kDuration},
               {"rate", CellKind::kRate}});
  std::map<std::pair<std::uint32_t, std::uint32_t>, ObjectSum> sums;  // by name and resource
  for (const Usage::Row& row : rows_) {
    const Usage::Target& target = usage_.targets()[row.target];
    if (target.name == Usage::kNone || is_lock(target.resource)) continue;
    const std::string& function = timeline_.names().text(row.function);
    ObjectSum& sum = sums[{target.name, target.resource}];
    sum.calls += row.sum.calls;
    sum.ns += row.sum.ns;
    sum.read += added(record::CallBytes::kReads, function, row.sum.amount);
    sum.written += added(record::CallBytes::kWrites, function, row.sum.amount);
  }
  std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, ObjectSum>> all(sums.begin(), sums.end());
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) {
    return a.second.read + a.second.written > b.second.read + b.second.written;
  });
  if (all.size() > kRows) all.resize(kRows);
  for (const auto& [key, sum] : all) {
    table.add({timeline_.names().text(key.first),
               key.second != Usage::kNone ? Cell(timeline_.names().text(key.second)) : Cell(), sum.calls, sum.read,
               sum.written, sum.ns, sum.read + sum.written > 0 ? rate_of(sum.read + sum.written, sum.ns) : Cell()});
  }
  return table;
}

Table RunTables::locks() const {
  Table table("locks", 1,
              {{"lock", CellKind::kText, true},
               {"kind", CellKind::kText},
               {"calls", CellKind::kCount},
               {"time", CellKind::kDuration}});
  std::map<std::uint32_t, CallSum> sums;  // by target
  for (const Usage::Row& row : rows_) {
    if (is_lock(usage_.targets()[row.target].resource)) sums[row.target].add(row.sum);
  }
  for (const auto& [number, sum] : sums) {
    const Usage::Target& target = usage_.targets()[number];
    table.add({report::object_cell(timeline_.actors().session(), timeline_.names(), target),
               timeline_.names().text(target.resource), sum.calls, sum.ns});
  }
  table.sort(*table.column("time"), false);
  table.keep_first(kRows);
  return table;
}

Table RunTables::processes() const {
  Table table("processes", 1,
              {{"process", CellKind::kText, true},
               {"threads", CellKind::kCount},
               {"running", CellKind::kDuration},
               {"calls", CellKind::kCount},
               {"in calls", CellKind::kDuration}});
  struct Process {
    std::uint64_t threads = 0;
    std::uint64_t running_ns = 0;
    CallSum calls;
  };
  std::map<std::uint32_t, Process> by_part;
  const std::vector<Actor>& threads = timeline_.actors().threads().all();
  for (const ThreadTimes::Row& row : times_.rows(end_ns_)) {
    if (threads[row.thread].part == Actor::kNone || thread_name(row.thread) == Actor::kRecorder) continue;
    Process& process = by_part[threads[row.thread].part];
    ++process.threads;
    process.running_ns += row.ns[static_cast<int>(ThreadState::kRunning)];
  }
  for (const Usage::Row& row : rows_) {
    if (threads[row.thread].part != Actor::kNone) by_part[threads[row.thread].part].calls.add(row.sum);
  }
  if (by_part.size() < 2) return table;
  std::vector<std::pair<std::uint32_t, Process>> all(by_part.begin(), by_part.end());
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.second.running_ns > b.second.running_ns; });
  const auto add = [&](const std::string& name, const Process& process) {
    table.add({name, process.threads, process.running_ns, process.calls.calls, process.calls.ns});
  };
  Process others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Process& process = all[i].second;
    if (i < kRows) {
      add(timeline_.actors().session().part_name(all[i].first), process);
      continue;
    }
    others.threads += process.threads;
    others.running_ns += process.running_ns;
    others.calls.add(process.calls);
  }
  if (all.size() > kRows) add(fmt::format("({} others)", all.size() - kRows), others);
  return table;
}

Table RunTables::counts() const {
  Table table = report::counts_table(timeline_, counts_);
  table.keep_first(kCounted);
  return table;
}

std::uint64_t RunTables::counted_calls() const {
  std::uint64_t all = 0;
  for (const CallCounts::Row& row : counts_.rows()) saturating_add(&all, row.calls);
  return all;
}

// Of descriptors that are known: what a program does with memory as if it were a file is none of it.
std::uint64_t RunTables::sum_of_bytes(bool written) const {
  std::uint64_t sum = 0;
  for (const Usage::Row& row : rows_) {
    const auto wanted = written ? record::CallBytes::kWrites : record::CallBytes::kReads;
    const std::string& function = timeline_.names().text(row.function);
    if (record::is_counted_by_system(function)) sum += added(wanted, function, row.sum.amount);
  }
  return sum;
}

std::uint64_t RunTables::bytes_read() const { return sum_of_bytes(false); }
std::uint64_t RunTables::bytes_written() const { return sum_of_bytes(true); }

void UnreturnedCalls::take(const TimelineItem& item) {
  if (item.kind != ItemKind::kEnded || !item.is_call || !(item.is_open || item.is_cut)) return;
  ++count_;
  OfName& of = by_name_[item.name];
  const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(0, item.ns - item.began_ns));
  // What is in one another ends at once, the outermost last.
  if (of.thread == item.thread && of.ended_ns == item.ns) of.ns -= of.latest_ns;
  of = {of.ns + ns, ns, item.ns, item.thread};
}

std::uint64_t UnreturnedCalls::ns_of(std::uint32_t name) const {
  const auto of = by_name_.find(name);
  return of != by_name_.end() ? of->second.ns : 0;
}

}  // namespace evt::tools
