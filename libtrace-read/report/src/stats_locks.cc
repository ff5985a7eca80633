// evt stats locks: who waited for locks, and who held them.
#include <evt/analysis/locks.h>
#include <fmt/core.h>

#include <map>
#include <string>

#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/report/shared/usage_tables.h"

namespace evt::report {
namespace {

class LocksAnalysis : public CopiedAnalysis<LocksAnalysis> {
 public:
  explicit LocksAnalysis(const AnalysisInput& input)
      : timeline_(input.timeline),
        no_event_(input.no_event()),
        has_stretches_(input.options.every.has_value()),
        locks_(input.timeline) {}

  RoleSet rows() const override { return Locks::rows(); }
  void take(const TimelineItem& item) override {
    locks_.take(item);
    doubts_.take(item);
  }
  void restart(std::int64_t ns) override {
    locks_.restart(ns);
    doubts_.restart(ns);
  }

  Findings finish(TimeRange range) override {
    Findings findings;
    const std::vector<Locks::Lock> locks = locks_.locks();
    if (locks.empty()) {
      findings.set_nothing(std::string(no_event_) +
                           " records a wait for a lock (roles callBegin, call, threadStop; "
                           "resource lock or barrier)");
      return findings;
    }
    findings.tables = {table_of(locks), table_of_holders(locks)};
    if (locks_.has_too_many()) {
      findings.notes.push_back(
          "more than 64 threads waited for a lock at one time: who held it is not known for the others");
    }
    if (has_stretches_) {
      findings.notes.push_back(
          "a holder is known from its release of the lock: of a wait that goes on over several steps, only in the step "
          "of that release");
    }
    add_span_notes(doubts_, SpanKind::kCall, &findings.notes);
    add_uncertain(locks_.uncertain_ns(range.to_ns), "the threads' time", &findings.notes);
    add_doubts(timeline_.doubts(), &findings.notes);
    add_others(timeline_.actors(), &findings);
    return findings;
  }

 private:
  // A number alone says nothing: the code beside it does.
  std::string name_of(const Locks::Lock& lock) const {
    const Usage::Target& target = locks_.targets()[lock.target];
    const Cell cell = object_cell(timeline_.actors().session(), timeline_.names(), target);
    const std::string* const name = cell.text();
    if (name != nullptr && target.name != Usage::kNone) return *name;
    const std::string code = lock.code == Locks::kNone ? "(unknown code)" : timeline_.names().text(lock.code);
    return name == nullptr ? code : fmt::format("{} ({})", code, *name);
  }

  Table table_of(const std::vector<Locks::Lock>& locks) const {
    Table table = new_table("locks", "locks");
    for (const Locks::Lock& lock : locks) {
      table.add({name_of(lock), lock.waits, lock.ns, lock.longest_ns, lock.threads, lock.most_waiting, lock.held_ns});
    }
    return sorted(std::move(table));
  }

  Table table_of_holders(const std::vector<Locks::Lock>& locks) const {
    std::map<std::uint32_t, const Locks::Lock*> by_target;
    for (const Locks::Lock& lock : locks) by_target[lock.target] = &lock;
    Table table = new_table("locks", "holders");
    for (const Locks::Holder& holder : locks_.holders()) {
      const Locks::Lock& lock = *by_target.at(holder.lock);
      const bool is_known = holder.thread != Locks::kNone;
      table.add(
          {name_of(lock),
           is_known ? actor_cell(timeline_.actors(), timeline_.actors().threads(), holder.thread) : Cell("(not known)"),
           is_known ? actor_name(timeline_.actors().threads(), holder.thread) : Cell(),
           holder.name != Locks::kNone ? Cell(timeline_.names().text(holder.name)) : Cell(),
           holder.target != Locks::kNone
               ? object_cell(timeline_.actors().session(), timeline_.names(), locks_.targets()[holder.target])
               : Cell(),
           holder.ns, percent_of(holder.ns, lock.ns)});
    }
    return sorted(std::move(table));
  }

  static Table sorted(Table table) {
    table.sort_by_keys();
    table.sort(*table.column("time"), false);
    return table;
  }

  Timeline& timeline_;
  const char* no_event_;
  bool has_stretches_;
  Locks locks_;
  SpanDoubts doubts_;
};

}  // namespace

std::unique_ptr<Analysis> make_locks(const AnalysisInput& input) { return std::make_unique<LocksAnalysis>(input); }

}  // namespace evt::report
