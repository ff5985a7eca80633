// evt stats calls: who calls whom, and where the time goes.
#include <evt/analysis/call_paths.h>
#include <evt/report_table.h>
#include <fmt/core.h>

#include <algorithm>
#include <compare>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/report/shared/thread_groups.h"
#include "libtrace-read/text/name_pattern.h"
#include "libtrace-read/text/near_names.h"
#include "libtrace-read/text/stack_frame.h"

namespace evt::report {
namespace {

constexpr std::uint32_t kNone = CallPaths::kNone;
constexpr const char* kOtherPaths = "(other paths)";

SpanKind kind_of(bool is_call) { return is_call ? SpanKind::kCall : SpanKind::kSpan; }

// Tables of the results of CallPaths.
class CallTables {
 public:
  CallTables(Timeline& timeline, const CallPaths& paths, ThreadGroups* groups)
      : timeline_(&timeline), paths_(&paths), groups_(groups) {
    for (std::uint32_t i = 0; i < paths.nodes().size(); ++i) {
      const Node& node = paths.nodes()[i];
      group_of_.push_back(node.is_root() ? groups->of(node.thread).value_or(kNone) : group_of_[node.parent]);
      const bool is_counted = node.count > 0 || node.sum_ns > 0 || node.self.ns > 0;
      if (group_of_.back() == kNone || !is_counted) continue;
      kept_paths_ += node.is_kept ? 1 : 0;
      Figures& row = rows_[name_of(i)];
      row.count += node.count;
      row.unfinished += node.unfinished;
      row.sum_ns += node.sum_ns;
      row.self += node.self;
    }
    for (const CallPaths::Inside& each : paths.inside()) {
      if (!groups->of(each.thread)) continue;
      inside_ += each.time;
      ++threads_;
    }
  }

  // True if nothing was counted.
  bool is_empty() const { return rows_.empty(); }
  Table facts() const {
    return new_facts("calls", "inside", {inside_.ns, inside_.running_ns, inside_.stopped_ns, threads_, kept_paths_});
  }

  // One row for each name and kind; with patterns, only for names that match one.
  Table names(const std::vector<std::string>& patterns) const {
    std::vector<const char*> keys = groups_->columns();
    keys.insert(keys.end(), {"name", "kind"});
    Table table = new_table("calls", "calls", keys);
    for (const auto& [name, row] : rows_) {
      if (!patterns.empty() && !fits(name, patterns)) continue;
      Table::Row cells = groups_->cells(name.group);
      for (const Cell& cell :
           {Cell(text_of(name)), Cell(word_of(kind_of(name.is_call))), Cell(row.count), Cell(row.sum_ns),
            percent_of(row.sum_ns, inside_.ns), Cell(row.self.ns), percent_of(row.self.ns, inside_.ns),
            Cell(row.self.running_ns), Cell(row.self.stopped_ns), Cell(row.unfinished), Cell(row.self.subtracted_ns)})
        cells.push_back(cell);
      table.add(std::move(cells));
    }
    table.sort_by_keys();
    table.sort(*table.column("sum"), false);
    table.sort(*table.column("self"), false);
    return table;
  }

  // Callers and callees of those that match: the rows of a name add up to its own row.
  Table callers(const std::vector<std::string>& patterns) const {
    Relations found;
    for (std::uint32_t i = 0; i < group_of_.size(); ++i) {
      const Node& node = paths_->nodes()[i];
      if (group_of_[i] == kNone || node.name == kNone || !rows_.contains(name_of(i)) || !fits(name_of(i), patterns))
        continue;
      if (node.count == 0 && node.sum_ns == 0 && node.self.ns == 0) continue;
      Figures& figures = found[{name_of(i), name_of(node.parent), !node.is_kept}];
      figures.count += node.count;
      figures.sum_ns += node.sum_ns;
      figures.self += node.self;
    }
    return relations("callers", "caller", "(none)", found);
  }

  Table callees(const std::vector<std::string>& patterns) const {
    Relations found = callees_of(patterns);
    std::map<Name, std::uint64_t> sums;
    for (const auto& [relation, figures] : found) sums[relation.of] += figures.sum_ns;
    for (const auto& [name, listed_ns] : sums) {
      const std::uint64_t all_ns = rows_.at(name).sum_ns;
      if (all_ns > listed_ns) found[{name, {name.group, kNone, false}, true}].sum_ns = all_ns - listed_ns;
    }
    return relations("callees", "callee", "(itself)", found);
  }

  // A row for each path with self time: `thread;outer;inner`. Beyond kMaxFoldedText bytes, only those with the most
  // time; the rest is in one path for each group of threads.
  static constexpr std::size_t kMaxFoldedText = 32 << 20;
  struct Folded {
    Table table;
    std::uint64_t left_out = 0;  // paths without a separate row
  };
  Folded folded() const {
    const auto ns_of = [this](std::uint32_t node) { return paths_->nodes()[node].self.ns; };
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < group_of_.size(); ++i) {
      if (group_of_[i] != kNone && ns_of(i) > 0) nodes.push_back(i);
    }
    std::ranges::stable_sort(nodes, [&](std::uint32_t a, std::uint32_t b) { return ns_of(a) > ns_of(b); });
    std::vector<std::pair<std::string, std::uint64_t>> stacks;
    std::map<std::uint32_t, std::uint64_t> others_ns;  // by group
    std::size_t bytes = 0;
    std::uint64_t left_out = 0;
    for (const std::uint32_t node : nodes) {
      std::string stack = left_out > 0 ? "" : stack_of(node);
      bytes += stack.size();
      if (bytes <= kMaxFoldedText) {
        stacks.emplace_back(std::move(stack), ns_of(node));
      } else {
        ++left_out;
        others_ns[group_of_[node]] += ns_of(node);
      }
    }
    for (const auto& [group, ns] : others_ns) stacks.emplace_back(other_paths_of(group), ns);
    std::ranges::sort(stacks);
    Table table = new_table("calls", "folded");
    for (std::size_t i = 0; i < stacks.size();) {
      const std::size_t first = i;
      std::uint64_t ns = 0;
      for (; i < stacks.size() && stacks[i].first == stacks[first].first; ++i) ns += stacks[i].second;
      Table::Row row;
      row.emplace_back(std::move(stacks[first].first));
      row.emplace_back(ns);
      table.add(std::move(row));
    }
    return {std::move(table), left_out};
  }

  // Patterns of the option that match no name.
  std::vector<Unmet> unmet(const std::string& option, const std::vector<std::string>& patterns) const {
    std::vector<Unmet> all;
    std::vector<std::string> known;
    for (const auto& [name, row] : rows_) known.push_back(text_of(name));
    for (const std::string& pattern : patterns) {
      if (std::ranges::any_of(known, [&](const std::string& name) { return matches_name(pattern, name); })) continue;
      all.push_back(
          {fmt::format("{} {}: no span or call has such a name", option, word_in_sentence(pattern)), pattern, known});
    }
    return all;
  }

 private:
  using Node = CallPaths::Node;

  // In selected threads.
  struct Name {
    std::uint32_t group = 0;
    std::uint32_t name = 0;
    bool is_call = false;

    friend auto operator<=>(const Name&, const Name&) = default;
  };
  struct Figures {
    std::uint64_t count = 0;
    std::uint64_t unfinished = 0;
    std::uint64_t sum_ns = 0;
    CallPaths::Time self;
  };
  // With an enclosing or nested one; kNone: with none.
  struct Relation {
    Name of;
    Name with;
    bool is_other_paths = false;

    friend auto operator<=>(const Relation&, const Relation&) = default;
  };
  using Relations = std::map<Relation, Figures>;

  Name name_of(std::uint32_t index) const {
    const Node& node = paths_->nodes()[index];
    return {group_of_[index], node.name, node.is_call};
  }

  const std::string& text_of(const Name& name) const { return timeline_->names().text(name.name); }
  bool fits(const Name& name, const std::vector<std::string>& patterns) const {
    return std::ranges::any_of(patterns,
                               [&](const std::string& pattern) { return matches_name(pattern, text_of(name)); });
  }

  // Time of a name nested in itself is attributed to the nearest enclosing one, so that it counts once.
  Relations callees_of(const std::vector<std::string>& patterns) const {
    Relations found;
    std::map<Name, std::uint32_t> met;  // the node from which it was reached
    for (const auto& [name, row] : rows_)
      if (fits(name, patterns)) met[name] = kNone;
    for (std::uint32_t i = 0; i < group_of_.size(); ++i) {
      const Node& node = paths_->nodes()[i];
      if (group_of_[i] == kNone || node.name == kNone || (node.count == 0 && node.self.ns == 0)) continue;
      const auto own = met.find(name_of(i));
      if (own != met.end()) {
        own->second = i;
        Figures& itself = found[{own->first, {own->first.group, kNone, false}, false}];
        itself.sum_ns += node.self.ns;
        itself.self += node.self;
      }
      std::uint32_t inner = i;
      for (std::uint32_t outer = node.parent; outer != kNone; inner = outer, outer = paths_->nodes()[outer].parent) {
        const auto around = met.find(name_of(outer));
        if (around == met.end()) continue;
        const bool is_direct = inner == i;
        if (around->second == i && !is_direct) continue;
        Figures& figures = found[{around->first, name_of(inner), false}];
        figures.count += is_direct ? node.count : 0;
        if (is_direct) figures.self += node.self;
        if (around->second != i) figures.sum_ns += node.self.ns;
        around->second = i;
      }
    }
    return found;
  }

  Table relations(const char* name, const char* other, const char* without, const Relations& found) const {
    const std::string other_kind = fmt::format("{} kind", other);
    std::vector<const char*> keys = groups_->columns();
    keys.insert(keys.end(), {"name", "kind", other, other_kind.c_str()});
    Table table = new_table("calls", name, keys);
    for (const auto& [relation, figures] : found) {
      const bool is_named = relation.with.name != kNone;
      Table::Row cells = groups_->cells(relation.of.group);
      cells.emplace_back(text_of(relation.of));
      cells.emplace_back(word_of(kind_of(relation.of.is_call)));
      cells.emplace_back(is_named ? text_of(relation.with) : relation.is_other_paths ? kOtherPaths : without);
      cells.push_back(is_named ? Cell(word_of(kind_of(relation.with.is_call))) : Cell());
      cells.push_back(figures.count > 0 || is_named ? Cell(figures.count) : Cell());
      cells.emplace_back(figures.sum_ns);
      cells.push_back(percent_of(figures.sum_ns, rows_.at(relation.of).sum_ns));
      cells.emplace_back(figures.self.ns);
      table.add(std::move(cells));
    }
    table.sort_by_keys();
    table.sort(*table.column("sum"), false);
    return table;
  }

  std::string stack_of(std::uint32_t index) const {
    std::vector<std::uint32_t> path;
    for (std::uint32_t at = index; !paths_->nodes()[at].is_root(); at = paths_->nodes()[at].parent) path.push_back(at);
    return text_from([&](TextBuffer& out) {
      append_stack_frame(out, groups_->text(group_of_[index]));
      for (auto at = path.rbegin(); at != path.rend(); ++at) {
        const Node& node = paths_->nodes()[*at];
        out += ';';
        append_stack_frame(out, node.is_other_paths() ? kOtherPaths : timeline_->names().text(node.name));
      }
    });
  }

  std::string other_paths_of(std::uint32_t group) const {
    return text_from([&](TextBuffer& out) {
      append_stack_frame(out, groups_->text(group));
      out += ';';
      append_stack_frame(out, kOtherPaths);
    });
  }

  Timeline* timeline_;
  const CallPaths* paths_;
  ThreadGroups* groups_;
  std::vector<std::uint32_t> group_of_;  // by node; kNone: not selected
  std::map<Name, Figures> rows_;
  CallPaths::Time inside_;
  std::uint64_t threads_ = 0;
  std::uint64_t kept_paths_ = 0;
};

ThreadGroups groups_of(const Actors& actors, const AnalysisOptions& options) {
  const auto is_by = [&](const char* by) { return std::ranges::find(options.by, by) != options.by.end(); };
  const ThreadGroups::By by = is_by("thread")      ? ThreadGroups::By::kThread
                              : is_by("pattern")   ? ThreadGroups::By::kPattern
                              : options.calls.fold ? ThreadGroups::By::kName
                                                   : ThreadGroups::By::kAll;
  return {actors, by, options.calls.threads};
}

class Calls : public CopiedAnalysis<Calls> {
 public:
  explicit Calls(const AnalysisInput& input)
      : timeline_(input.timeline),
        options_(input.options.calls),
        groups_(groups_of(input.timeline.actors(), input.options)),
        subtracts_(input.options.subtract),
        has_cost_(input.options.cost_ps.has_value()),
        paths_(input.timeline,
               {.by_thread = groups_.needs_threads(), .subtract_event_ps = input.options.subtracted_event_ps()}) {}

  RoleSet rows() const override { return subtracts_ ? RoleSet::all() : RoleSet(); }
  void take(const TimelineItem& item) override {
    paths_.take(item);
    doubts_.take(item);
  }
  void restart(std::int64_t ns) override {
    paths_.restart(ns);
    doubts_.restart(ns);
  }

  Findings finish(TimeRange) override {
    Findings findings;
    const CallTables tables(timeline_, paths_, &groups_);
    add_tables(tables, &findings);
    findings.unmet = groups_.unmet();
    if (tables.is_empty() && findings.unmet.empty()) {
      findings.set_nothing("no event begins or ends a span or a call (roles spanBegin, span, callBegin, call ...)");
    }
    if (!tables.is_empty()) add_unmet(tables, &findings.unmet);
    if (subtracts_ && !has_cost_) findings.notes.emplace_back(kOnlySelfReportedCost);
    add_notes(&findings);
    if (groups_.needs_threads()) add_others(timeline_.actors(), &findings);
    return findings;
  }

 private:
  void add_tables(const CallTables& tables, Findings* findings) const {
    if (options_.fold) return add_folded(tables, findings);
    std::vector<std::string> patterns = options_.callers;
    patterns.insert(patterns.end(), options_.callees.begin(), options_.callees.end());
    if (!tables.is_empty()) findings->tables.push_back(tables.facts());
    findings->tables.push_back(tables.names(patterns));
    if (!options_.callers.empty()) findings->tables.push_back(tables.callers(options_.callers));
    if (!options_.callees.empty()) findings->tables.push_back(tables.callees(options_.callees));
  }

  static void add_folded(const CallTables& tables, Findings* findings) {
    CallTables::Folded folded = tables.folded();
    findings->tables.push_back(std::move(folded.table));
    if (folded.left_out == 0) return;
    findings->add_missing(
        fmt::format("the names of all paths have more than {} MiB: {} with less time are in (other "
                    "paths)",
                    CallTables::kMaxFoldedText >> 20, folded.left_out));
  }

  // Figures by name are complete without them.
  bool asks_for_paths() const { return options_.fold || !options_.callers.empty() || !options_.callees.empty(); }

  void add_unmet(const CallTables& tables, std::vector<Unmet>* unmet) const {
    for (const auto& [option, patterns] :
         {std::pair("callers", &options_.callers), std::pair("callees", &options_.callees)}) {
      const std::vector<Unmet> more = tables.unmet(option, *patterns);
      unmet->insert(unmet->end(), more.begin(), more.end());
    }
  }

  void add_notes(Findings* findings) const {
    if (timeline_.names().is_full()) findings->notes.emplace_back(kTooManyNames);
    if (paths_.has_other_paths()) {
      findings->notes.push_back(
          fmt::format("there are paths of more than {} names, or more than {} paths: those are counted in (other "
                      "paths), by name alone",
                      CallPaths::kMaxDepth, CallPaths::kMaxPaths));
      findings->is_partial |= asks_for_paths();
    }
    if (const std::uint64_t assumed = paths_.assumed(); assumed > 0) {
      findings->notes.push_back(assumed_to_run(assumed));
    }
    add_span_notes(doubts_, &findings->notes);
  }

  Timeline& timeline_;
  const CallOptions& options_;
  ThreadGroups groups_;
  bool subtracts_;
  bool has_cost_;
  CallPaths paths_;
  SpanDoubts doubts_;
};

}  // namespace

std::unique_ptr<Analysis> make_calls(const AnalysisInput& input) { return std::make_unique<Calls>(input); }

}  // namespace evt::report
