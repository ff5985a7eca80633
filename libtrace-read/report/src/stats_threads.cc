// evt stats threads: the life of each thread.
#include <evt/analysis/collections.h>
#include <evt/analysis/thread_times.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "libtrace-read/report/shared/analysis.h"

namespace evt::report {
namespace {

class Threads : public CopiedAnalysis<Threads> {
 public:
  explicit Threads(const AnalysisInput& input)
      : timeline_(input.timeline),
        actors_(input.timeline.actors()),
        no_event_(input.no_event()),
        by_process_(!input.options.by.empty()),
        collections_(input.collections) {}

  ItemKinds items() const override {
    ItemKinds items = ThreadTimes::items();
    return items |= Collections::items();
  }
  // For collections, all except what runs meanwhile.
  RoleSet rows() const override { return {}; }
  void take(const TimelineItem& item) override {
    times_.take(item);
    collections_.take(item);
  }
  void restart(std::int64_t ns) override {
    times_.restart(ns);
    collections_.restart(ns);
  }

  Findings finish(TimeRange range) override {
    Findings findings;
    std::vector<ThreadTimes::Row> rows = times_.rows(range.to_ns);
    std::ranges::sort(rows, [&](const ThreadTimes::Row& a, const ThreadTimes::Row& b) {
      return comes_before(actors_.threads(), a.thread, b.thread);
    });
    for (ThreadTimes::Row& row : rows) arrange(&row);
    findings.tables.push_back(by_process_ ? processes_table(rows) : threads_table(rows));
    if (!by_process_) {
      findings.tables.push_back(waiting_table(rows));
      findings.tables.push_back(wakers_table(rows));
      findings.tables.push_back(collectors_table(range.to_ns));
    }
    if (rows.empty()) {
      std::string sentence = fmt::format(
          "{} records a thread (roles threadCreate, threadRun ...): nothing is known about threads", no_event_);
      const bool has_collectors = !findings.tables.back().rows().empty();
      has_collectors ? findings.add_missing(std::move(sentence)) : findings.set_nothing(std::move(sentence));
    }
    std::uint64_t uncertain = 0;
    for (const ThreadTimes::Row& row : rows) uncertain += row.uncertain_ns;
    add_uncertain(uncertain, "the threads' time", &findings.notes);
    add_doubts(timeline_.doubts(), &findings.notes);
    add_others(actors_, &findings);
    return findings;
  }

 private:
  struct Process {
    std::uint64_t threads = 0;
    std::uint64_t ns[ThreadTimes::kStates] = {};
    std::uint64_t uncertain_ns = 0;
    std::uint64_t slices = 0;
    std::uint64_t migrations = 0;

    void add(const ThreadTimes::Row& row) {
      ++threads;
      for (std::size_t i = 0; i < ThreadTimes::kStates; ++i) ns[i] += row.ns[i];
      uncertain_ns += row.uncertain_ns;
      slices += row.slices;
      migrations += row.migrations;
    }
  };

  // Equal ones in the order of their names.
  void arrange(ThreadTimes::Row* row) const {
    const auto& reasons = timeline_.reasons();
    std::ranges::sort(row->waiting, [&](const ThreadTimes::Waiting& a, const ThreadTimes::Waiting& b) {
      return a.ns != b.ns ? a.ns > b.ns : reasons[a.reason].text < reasons[b.reason].text;
    });
    std::ranges::sort(row->wakers, [&](const ThreadTimes::Waker& a, const ThreadTimes::Waker& b) {
      return a.times != b.times ? a.times > b.times : comes_before(actors_.threads(), a.thread, b.thread);
    });
  }

  Table threads_table(const std::vector<ThreadTimes::Row>& rows) const {
    Table table = new_table("threads", "threads");
    for (const ThreadTimes::Row& row : rows) {
      const auto in = [&](ThreadState state) { return row.ns[static_cast<std::size_t>(state)]; };
      const auto moment = [](const std::optional<std::int64_t>& ns) { return ns ? Cell(*ns) : Cell(); };
      std::uint64_t wakes = 0;
      for (const ThreadTimes::Waker& waker : row.wakers) wakes += waker.times;
      table.add({actor_cell(actors_, actors_.threads(), row.thread), actor_name(actors_.threads(), row.thread),
                 moment(actors_.threads()[row.thread].created_ns), moment(row.ended_ns),
                 std::string(word_of(row.state)), in(ThreadState::kRunning), in(ThreadState::kRunnable),
                 in(ThreadState::kWaiting), in(ThreadState::kOutside), in(ThreadState::kUnknown), row.uncertain_ns,
                 row.slices, row.cpus, row.migrations, wakes});
    }
    return table;
  }

  // The sums of a process's threads. Those that ended and share a row, and those of no part, have no process.
  Table processes_table(const std::vector<ThreadTimes::Row>& rows) const {
    std::map<std::uint32_t, Process> processes;
    for (const ThreadTimes::Row& row : rows) processes[part_of(row.thread)].add(row);
    Table table = new_table("threads", "processes");
    for (const auto& [part, process] : processes) {
      const auto in = [&, &ns = process.ns](ThreadState state) { return ns[static_cast<std::size_t>(state)]; };
      table.add({process_cell(part), process.threads, in(ThreadState::kRunning), in(ThreadState::kRunnable),
                 in(ThreadState::kWaiting), in(ThreadState::kOutside), in(ThreadState::kUnknown), process.uncertain_ns,
                 process.slices, process.migrations});
    }
    table.sort(*table.column("running"), false);
    return table;
  }

  std::uint32_t part_of(std::uint32_t thread) const {
    return thread == Actor::kOthers ? Actor::kOthers : actors_.threads()[thread].part;
  }

  Cell process_cell(std::uint32_t part) const {
    if (part == Actor::kOthers) return "(others)";
    const Session& session = actors_.session();
    if (part != Actor::kNone) return session.part_name(part);
    return session.parts.empty() && !session.program.empty() ? Cell(session.program) : Cell();
  }

  // Garbage collectors, by capability: meanwhile the program's own threads wait.
  Table collectors_table(std::int64_t ns) const {
    Table table = new_table("threads", "collectors");
    for (const Collections::Capability& row : collections_.capabilities(ns)) {
      if (row.collections == 0) continue;
      table.add({std::uint64_t{row.stream->id}, row.stream->name, row.collections, row.collector_ns, row.work_ns,
                 row.idle_ns, row.sync_ns});
    }
    return table;
  }

  Table waiting_table(const std::vector<ThreadTimes::Row>& rows) const {
    Table table = new_table("threads", "waiting");
    for (const ThreadTimes::Row& row : rows) {
      for (const ThreadTimes::Waiting& waiting : row.waiting) {
        table.add({actor_cell(actors_, actors_.threads(), row.thread), timeline_.reasons()[waiting.reason].text,
                   waiting.times, waiting.ns});
      }
    }
    return table;
  }

  Table wakers_table(const std::vector<ThreadTimes::Row>& rows) const {
    Table table = new_table("threads", "wakers");
    for (const ThreadTimes::Row& row : rows) {
      for (const ThreadTimes::Waker& waker : row.wakers) {
        table.add({actor_cell(actors_, actors_.threads(), row.thread),
                   waker.thread != Actor::kNone ? actor_cell(actors_, actors_.threads(), waker.thread) : Cell(),
                   waker.times});
      }
    }
    return table;
  }

  static const char* word_of(ThreadState state) {
    static constexpr const char* kWords[] = {"not known", "runnable", "running", "waiting", "outside", "ended"};
    return kWords[static_cast<std::size_t>(state)];
  }

  const Timeline& timeline_;
  const Actors& actors_;
  const char* no_event_;
  bool by_process_;
  ThreadTimes times_;
  Collections collections_;
};

}  // namespace

std::unique_ptr<Analysis> make_threads(const AnalysisInput& input) { return std::make_unique<Threads>(input); }

}  // namespace evt::report
