#include "why_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace evt::report {

std::int64_t mean_of(std::uint64_t sum, std::uint64_t count) {
  return count == 0 ? 0 : static_cast<std::int64_t>((sum + count / 2) / count);
}

Table WhyTable::causes() {
  return table("causes",
               {{.name = "time", .kind = CellKind::kDuration}, {.name = "share", .kind = CellKind::kPercent}});
}

Table WhyTable::differences(Compared compared) {
  compared_ = compared;
  return table("differences", {{.name = "difference", .kind = CellKind::kDuration},
                               {.name = "slow", .kind = CellKind::kDuration},
                               {.name = "median", .kind = CellKind::kDuration}});
}

Table WhyTable::table(const char* name, std::vector<Table::Column> columns) {
  columns.insert(columns.end(), {{.name = "what"},
                                 {.name = "level", .kind = CellKind::kCount, .is_hidden = true},
                                 {.name = "kind", .is_hidden = true},
                                 {.name = "name", .is_hidden = true},
                                 {.name = "object", .is_hidden = true},
                                 {.name = "resource", .is_hidden = true}});
  if (!compared_) {
    columns.insert(columns.end() - 3, {.name = "thread", .is_hidden = true});
    columns.push_back({.name = "cpu", .kind = CellKind::kCount, .is_hidden = true});
    columns.push_back({.name = "other thread", .is_hidden = true});
  }
  Table table(name, 0, std::move(columns));
  add_below(0, 0, &table);
  return table;
}

Table::Row WhyTable::figures_of(std::uint64_t ns, std::uint64_t median_ns) const {
  if (!compared_) return {Cell(ns), percent_of(ns, tree_->nodes()[0].ns)};
  const std::int64_t slow = mean_of(ns, compared_->slow);
  const std::int64_t median = mean_of(median_ns, compared_->median);
  return {Cell(slow - median), Cell(slow), Cell(median)};
}

// By which rows come, the largest first.
std::int64_t WhyTable::rank_of(const WhyTree::Node& node) const {
  if (!compared_) return static_cast<std::int64_t>(node.ns);
  return mean_of(node.ns, compared_->slow) - mean_of(node.median_ns, compared_->median);
}

std::vector<std::uint32_t> WhyTable::below(std::uint32_t node) const {
  std::vector<std::uint32_t> below = tree_->nodes()[node].below;
  const auto rank = [this](std::uint32_t each) { return rank_of(tree_->nodes()[each]); };
  std::ranges::stable_sort(below, std::greater(), rank);
  return below;
}

void WhyTable::add_below(std::uint32_t node, std::size_t level, Table* table) {
  if (level >= form_.depth) return;
  const WhyTree::Node& above = tree_->nodes()[node];
  const std::vector<std::uint32_t> all = below(node);
  const auto small = std::ranges::find_if(all, [this](std::uint32_t each) { return is_small(each); });
  const std::span<const std::uint32_t> rest(small, all.end());
  const bool is_folded = form_.folds_small && !compared_ && rest.size() > 1;
  for (const std::uint32_t each : std::span(all).first(all.size() - (is_folded ? rest.size() : 0))) {
    const WhyTree::Node& at = tree_->nodes()[each];
    add_row(at.step, figures_of(at.ns, at.median_ns), words_->sentence(at.step, above.step), words_->key(at.step),
            level, table);
    add_below(each, level + 1, table);
  }
  if (is_folded) add_folded(rest, level, table);
  if (node == 0 || above.below.empty() || above.own_ns + above.own_median_ns == 0) return;
  const bool is_wait = above.step.kind == WhyKind::kWaited;
  add_row(above.step, figures_of(above.own_ns, above.own_median_ns),
          is_wait ? words_->unknown_cause(above.step) : "it had ended", "unknown", level, table);
}

bool WhyTable::is_small(std::uint32_t node) const { return tree_->nodes()[node].ns * 1000 < tree_->nodes()[0].ns; }

void WhyTable::add_folded(std::span<const std::uint32_t> nodes, std::size_t level, Table* table) {
  std::uint64_t ns = 0;
  for (const std::uint32_t each : nodes) ns += tree_->nodes()[each].ns;
  add_row({}, figures_of(ns, 0), fmt::format("{} smaller causes", nodes.size()), "", level, table);
}

void WhyTable::add_row(const WhyStep& step, Table::Row row, const std::string& what, const char* kind,
                       std::size_t level, Table* table) {
  const auto text = [](std::string words) { return words.empty() ? Cell() : Cell(std::move(words)); };
  const auto thread = [&](std::uint32_t index) { return index == Actor::kNone ? Cell() : Cell(words_->thread(index)); };
  const std::uint32_t target = words_->target_of(step);
  row.push_back(std::string(form_.is_indented ? 2 * level : 0, ' ') + what);
  row.push_back(Cell(std::uint64_t{level}));
  row.push_back(kind);
  if (!compared_) row.push_back(thread(step.thread));
  row.push_back(text(words_->name(step)));
  row.push_back(text(words_->object(target)));
  row.push_back(text(words_->resource(target)));
  if (!compared_) row.push_back(step.cpu == Actor::kNone ? Cell() : Cell(words_->cpu_number(step.cpu)));
  if (!compared_) row.push_back(thread(step.other));
  table->add(std::move(row));
}

}  // namespace evt::report
