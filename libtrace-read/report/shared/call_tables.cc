#include "call_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "analysis.h"
#include "libtrace-read/text/name_pattern.h"
#include "libtrace-read/text/near_names.h"
#include "libtrace-read/text/stack_frame.h"

namespace evt::report {
namespace {

constexpr std::uint32_t kNone = CallPaths::kNone;
constexpr const char* kOtherPaths = "(other paths)";

SpanKind kind_of(bool is_call) { return is_call ? SpanKind::kCall : SpanKind::kSpan; }

// The error of a share: one standard deviation of a binomial, in percent. Samples of unequal weight carry as much
// information as fewer samples of equal weight: the square of the sum of their weights, divided by the sum of the
// squares (Kish's effective sample size, "Survey Sampling", 1965).
Cell share_error(std::uint64_t part, std::uint64_t whole, double squares) {
  if (whole == 0 || squares == 0) return {};
  const auto sum = static_cast<double>(whole);
  const double share = static_cast<double>(part) / sum;
  return 100 * std::sqrt(share * (1 - share) * squares) / sum;
}

}  // namespace

CallTables::CallTables(Timeline& timeline, const Analysis& analysis, Paths paths, ThreadGroups* groups)
    : timeline_(&timeline), analysis_(analysis), nodes_(paths.nodes), groups_(groups) {
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    group_of_.push_back(node.is_root() ? groups->of(node.thread).value_or(kNone) : group_of_[node.parent]);
    const bool is_counted = node.count > 0 || node.sum_ns > 0 || node.self.ns > 0;
    if (group_of_.back() == kNone || !is_counted) continue;
    kept_paths_ += node.is_kept && (analysis.has_kinds || node.count > 0) ? 1 : 0;
    Figures& row = rows_[name_of(i)];
    row.count += node.count;
    counted_ += node.count;
    squares_ += node.squares;
    row.unfinished += node.unfinished;
    row.sum_ns += node.sum_ns;
    row.self += node.self;
  }
  for (const CallPaths::Inside& each : paths.inside) {
    if (!groups->of(each.thread)) continue;
    inside_ += each.time;
    ++threads_;
  }
}

CallTables::Name CallTables::name_of(std::uint32_t index) const {
  const Node& node = nodes_[index];
  return {group_of_[index], node.name, node.is_call};
}

bool CallTables::fits(const Name& name, const std::vector<std::string>& patterns) const {
  return std::ranges::any_of(patterns,
                             [&](const std::string& pattern) { return matches_name(pattern, text_of(name)); });
}

Table CallTables::facts() const {
  if (analysis_.has_kinds) {
    return new_facts(analysis_.name, "inside",
                     {inside_.ns, inside_.running_ns, inside_.stopped_ns, threads_, kept_paths_});
  }
  return new_facts(analysis_.name, "sampled", {inside_.ns, count(counted_), kept_paths_});
}

std::vector<const char*> CallTables::keys(std::initializer_list<const char*> with_kinds) const {
  std::vector<const char*> keys = groups_->columns();
  for (const char* const key : with_kinds) {
    if (analysis_.has_kinds || !std::string_view(key).ends_with("kind")) keys.push_back(key);
  }
  return keys;
}

void CallTables::add_figures(const Figures& row, Table::Row* cells) const {
  for (const Cell& cell : {count(row.count), Cell(row.sum_ns), percent_of(row.sum_ns, inside_.ns), Cell(row.self.ns),
                           percent_of(row.self.ns, inside_.ns)})
    cells->push_back(cell);
  if (!analysis_.has_kinds) {
    return cells->push_back(analysis_.is_sampled ? share_error(row.self.ns, inside_.ns, squares_) : Cell());
  }
  for (const std::uint64_t number : {row.self.running_ns, row.self.stopped_ns, row.unfinished, row.self.subtracted_ns})
    cells->emplace_back(number);
}

Table CallTables::names(const std::vector<std::string>& patterns) const {
  Table table = new_table(analysis_.name, analysis_.name, keys({"name", "kind"}));
  for (const auto& [name, row] : rows_) {
    if (!patterns.empty() && !fits(name, patterns)) continue;
    Table::Row cells = groups_->cells(name.group);
    cells.emplace_back(text_of(name));
    if (analysis_.has_kinds) cells.emplace_back(word_of(kind_of(name.is_call)));
    add_figures(row, &cells);
    table.add(std::move(cells));
  }
  table.sort_by_keys();
  table.sort(*table.column("sum"), false);
  table.sort(*table.column("self"), false);
  return table;
}

Table CallTables::relations(const char* name, const char* other, const char* without, const Relations& found) const {
  const std::string other_kind = fmt::format("{} kind", other);
  Table table = new_table(analysis_.name, name, keys({"name", "kind", other, other_kind.c_str()}));
  for (const auto& [relation, figures] : found) {
    const bool is_named = relation.with.name != kNone;
    Table::Row cells = groups_->cells(relation.of.group);
    cells.emplace_back(text_of(relation.of));
    if (analysis_.has_kinds) cells.emplace_back(word_of(kind_of(relation.of.is_call)));
    cells.emplace_back(is_named ? text_of(relation.with) : relation.is_other_paths ? kOtherPaths : without);
    if (analysis_.has_kinds) cells.push_back(is_named ? Cell(word_of(kind_of(relation.with.is_call))) : Cell());
    cells.push_back(figures.count > 0 || is_named ? count(figures.count) : Cell());
    cells.emplace_back(figures.sum_ns);
    cells.push_back(percent_of(figures.sum_ns, rows_.at(relation.of).sum_ns));
    cells.emplace_back(figures.self.ns);
    table.add(std::move(cells));
  }
  table.sort_by_keys();
  table.sort(*table.column("sum"), false);
  return table;
}

Table CallTables::callers(const std::vector<std::string>& patterns) const {
  Relations found;
  for (std::uint32_t i = 0; i < group_of_.size(); ++i) {
    const Node& node = nodes_[i];
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

// Time of a name nested in itself is attributed to the nearest enclosing one, so that it counts once.
CallTables::Relations CallTables::callees_of(const std::vector<std::string>& patterns) const {
  Relations found;
  std::map<Name, std::uint32_t> met;  // the node from which it was reached
  for (const auto& [name, row] : rows_)
    if (fits(name, patterns)) met[name] = kNone;
  for (std::uint32_t i = 0; i < group_of_.size(); ++i) {
    const Node& node = nodes_[i];
    if (group_of_[i] == kNone || node.name == kNone || (node.count == 0 && node.self.ns == 0)) continue;
    const auto own = met.find(name_of(i));
    if (own != met.end()) {
      own->second = i;
      Figures& itself = found[{own->first, {own->first.group, kNone, false}, false}];
      itself.sum_ns += node.self.ns;
      itself.self += node.self;
    }
    std::uint32_t inner = i;
    for (std::uint32_t outer = node.parent; outer != kNone; inner = outer, outer = nodes_[outer].parent) {
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

Table CallTables::callees(const std::vector<std::string>& patterns) const {
  Relations found = callees_of(patterns);
  std::map<Name, std::uint64_t> sums;
  for (const auto& [relation, figures] : found) sums[relation.of] += figures.sum_ns;
  for (const auto& [name, listed_ns] : sums) {
    const std::uint64_t all_ns = rows_.at(name).sum_ns;
    if (all_ns > listed_ns) found[{name, {name.group, kNone, false}, true}].sum_ns = all_ns - listed_ns;
  }
  return relations("callees", "callee", "(itself)", found);
}

std::string CallTables::stack_of(std::uint32_t index) const {
  std::vector<std::uint32_t> path;
  for (std::uint32_t at = index; !nodes_[at].is_root(); at = nodes_[at].parent) path.push_back(at);
  return text_from([&](TextBuffer& out) {
    append_stack_frame(out, groups_->text(group_of_[index]));
    for (auto at = path.rbegin(); at != path.rend(); ++at) {
      const Node& node = nodes_[*at];
      out += ';';
      append_stack_frame(out, node.is_other_paths() ? kOtherPaths : timeline_->names().text(node.name));
    }
  });
}

std::string CallTables::other_paths_of(std::uint32_t group) const {
  return text_from([&](TextBuffer& out) {
    append_stack_frame(out, groups_->text(group));
    out += ';';
    append_stack_frame(out, kOtherPaths);
  });
}

CallTables::Folded CallTables::folded() const {
  const auto ns_of = [this](std::uint32_t node) { return nodes_[node].self.ns; };
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
  Table table = new_table(analysis_.name, "folded");
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

std::vector<Unmet> CallTables::unmet(const std::string& option, const std::vector<std::string>& patterns) const {
  std::vector<Unmet> all;
  std::vector<std::string> known;
  for (const auto& [name, row] : rows_) known.push_back(text_of(name));
  for (const std::string& pattern : patterns) {
    if (std::ranges::any_of(known, [&](const std::string& name) { return matches_name(pattern, name); })) continue;
    all.push_back({fmt::format("{} {}: no {} has such a name", option, word_in_sentence(pattern), analysis_.things),
                   pattern, known});
  }
  return all;
}

}  // namespace evt::report
