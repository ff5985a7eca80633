#include "stats/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <set>

#include "stats/table_rows.h"

namespace evt::tools {
namespace {

// Pairs of rows, in the order of those of `after`, then those of `before` alone. `columns`: the key's. Rows whose keys
// are not the same belong together by their order, if but for numbers of processes, threads and objects they are.
struct RowPair {
  std::optional<std::size_t> before;
  std::optional<std::size_t> after;
};

// Each number has one name, and each name one number.
bool are_names_unique(const RowsBy& rows, std::size_t name) {
  std::map<std::string, std::string> name_of;
  std::set<std::string> names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string number = identity_of(rows.cell(i, name - 1));
    const std::string text = identity_of(rows.cell(i, name));
    if (number.empty() && text.empty()) continue;
    const auto [known, is_new] = name_of.try_emplace(number, text);
    if (text.empty() || known->second != text || (is_new && !names.insert(text).second)) return false;
  }
  return true;
}

// Which columns of the key say what a row is.
std::vector<std::size_t> telling(const RowsBy& before, const RowsBy& after, const Columns& columns) {
  std::vector<std::size_t> tell;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!is_name(columns, i)) {
      tell.push_back(i);
    } else if (are_names_unique(before, i) && are_names_unique(after, i)) {
      tell.back() = i;
    }
  }
  return tell;
}

RowKey key_of(const RowsBy& rows, std::size_t row, const std::vector<std::size_t>& columns) {
  RowKey key;
  for (const std::size_t column : columns) key.push_back(identity_of(rows.cell(row, column)));
  return key;
}

std::vector<RowPair> pairs_of(const RowsBy& before, const RowsBy& after, const Columns& columns) {
  const std::vector<std::size_t> tell = telling(before, after, columns);
  std::map<RowKey, std::deque<std::size_t>> waiting;  // rows of `before`
  for (std::size_t i = 0; i < before.size(); ++i) waiting[key_of(before, i, tell)].push_back(i);
  std::vector<RowPair> pairs;
  std::vector<bool> is_paired(before.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto found = waiting.find(key_of(after, i, tell));
    if (found == waiting.end() || found->second.empty()) {
      pairs.push_back({std::nullopt, i});
      continue;
    }
    const std::size_t partner = found->second.front();
    found->second.pop_front();
    is_paired[partner] = true;
    pairs.push_back({partner, i});
  }
  // In the order of their numbers, which is that in which they were made.
  std::map<RowKey, std::deque<std::size_t>> others;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!is_paired[i]) others[key_in_other_run(before, i, columns, true)].push_back(i);
  }
  for (RowPair& pair : pairs) {
    if (pair.before) continue;
    const auto found = others.find(key_in_other_run(after, *pair.after, columns, true));
    if (found == others.end() || found->second.empty()) continue;
    pair.before = found->second.front();
    found->second.pop_front();
    is_paired[*pair.before] = true;
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!is_paired[i]) pairs.push_back({i, std::nullopt});
  }
  return pairs;
}

// Of a column that is not there it is 0.
Cell value_of(const RowsBy& rows, std::size_t row, std::size_t column) {
  const Cell* const cell = rows.cell(row, column);
  if (cell != nullptr) return *cell;
  return Cell(std::uint64_t{0});
}

Cell difference(const Cell& before, const Cell& after) {
  if (before.is_empty() || after.is_empty()) return {};
  if (before.as_fraction() != nullptr || after.as_fraction() != nullptr) return after.as_double() - before.as_double();
  const auto change = [&](auto from, auto to) {
    std::int64_t whole = 0;
    return __builtin_sub_overflow(to, from, &whole) ? Cell(after.as_double() - before.as_double()) : Cell(whole);
  };
  const auto change_to = [&](auto to) {
    return before.as_signed() != nullptr ? change(*before.as_signed(), to) : change(*before.as_unsigned(), to);
  };
  return after.as_signed() != nullptr ? change_to(*after.as_signed()) : change_to(*after.as_unsigned());
}

// Infinite from 0.
double percent_of_change(const Cell& before, const Cell& after) {
  const double change = difference(before, after).as_double();
  if (change == 0) return 0;
  const double from = std::abs(before.as_double());
  return from > 0 ? 100 * change / from : std::copysign(std::numeric_limits<double>::infinity(), change);
}

bool is_nothing(const Cell& cell) { return cell.is_empty() || cell.as_double() == 0; }

}  // namespace

Table Diff::compare(const Table& before, const Table& after) {
  const Columns keys = keys_of({&after, &before});
  const Columns values = values_of({&after, &before});
  const Columns all = [&] {
    Columns columns = keys;
    columns.insert(columns.end(), values.begin(), values.end());
    return columns;
  }();
  Columns columns = keys;
  columns.push_back({"column", CellKind::kText});
  for (const char* const name : {"before", "after", "change"}) columns.push_back({name, CellKind::kNumber});
  columns.push_back({"%", CellKind::kPercent});
  Table table(after.name(), keys.size() + 1, std::move(columns));

  const RowsBy was(before, all);
  const RowsBy is(after, all);
  for (const RowPair& pair : pairs_of(was, is, keys)) {
    const RowName name =
        pair.after ? name_of(is, *pair.after, keys, after.name()) : name_of(was, *pair.before, keys, after.name());
    if (!pair.after) only_before_.push_back(name.text);
    if (!pair.before) only_after_.push_back(name.text);
    for (std::size_t i = keys.size(); i < all.size(); ++i) {
      const Table::Column& column = all[i];
      if (!is_compared(column)) continue;
      const Cell a = pair.before ? value_of(was, *pair.before, i) : Cell();
      const Cell b = pair.after ? value_of(is, *pair.after, i) : Cell();
      const double percent = percent_of_change(a, b);
      const bool in_both = !a.is_empty() && !b.is_empty();
      if (in_both ? percent == 0 : is_nothing(a) && is_nothing(b)) continue;
      const std::string column_name = options_.for_programs ? column.key() : column.name;
      if (in_both) large_.take(fmt::format("{}: {}", name.text, column_name), column, percent);
      Table::Row row = name.cells;
      row.push_back(column_name);
      row.push_back(a.as(column.kind));
      row.push_back(b.as(column.kind));
      row.push_back(difference(a, b).as(column.kind));
      row.push_back(in_both && std::isfinite(percent) ? Cell(percent) : Cell());
      table.add(std::move(row));
      // People want to know that it is there.
      if (!options_.for_programs && (!pair.before || !pair.after)) break;
    }
  }
  return table;
}

Findings Diff::compare(const Findings& before, const Findings& after) {
  only_before_.clear();
  only_after_.clear();
  Findings findings;
  const auto like = [](const std::vector<Table>& tables, const Table& table) {
    const auto found = std::ranges::find_if(tables, [&](const Table& each) { return each.name() == table.name(); });
    return found != tables.end() ? *found : Table(table.name(), 0, {});
  };
  for (const Table& table : after.tables) {
    if (!table.is_of_single_things()) findings.tables.push_back(compare(like(before.tables, table), table));
  }
  for (const Table& table : before.tables) {
    if (table.is_of_single_things()) continue;
    const Table other = like(after.tables, table);
    if (other.columns().empty()) findings.tables.push_back(compare(table, other));
  }
  for (const auto& [rows, where] :
       {std::pair(&only_before_, options_.before), std::pair(&only_after_, options_.after)}) {
    if (rows->empty()) continue;
    findings.notes.push_back(fmt::format("{} only in {}: {}", counted(rows->size(), "row"), where, listed(*rows)));
  }
  const bool same = std::ranges::all_of(findings.tables, [](const Table& table) { return table.rows().empty(); });
  if (same && findings.notes.empty()) findings.notes.push_back("no difference");
  return findings;
}

std::vector<SessionFindings> Diff::compare(const std::vector<SessionFindings>& before,
                                           const std::vector<SessionFindings>& after) {
  std::vector<SessionFindings> all;
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    SessionFindings& both = all.emplace_back();
    both.session = after[i].session;
    both.range = after[i].range;
    both.events = after[i].events;
    for (const auto& [kind, findings] : after[i].by_analysis) {
      // An analysis that one of them cannot have, as its events are a sample, was refused for it.
      const auto other = std::ranges::find(before[i].by_analysis, kind, &std::pair<std::string, Findings>::first);
      if (other == before[i].by_analysis.end()) continue;
      both.by_analysis.emplace_back(kind, compare(other->second, findings));
      for (const std::string& note : both.by_analysis.back().second.notes)
        sentences_.push_back(fmt::format("{}: {}", kind, note));
    }
  }
  if (before.size() != after.size()) {
    sentences_.push_back(fmt::format("{} has {}, {} has {}: rows without a partner are not compared", options_.before,
                                     counted(before.size(), "session"), options_.after,
                                     counted(after.size(), "session")));
  }
  return all;
}

std::vector<std::string> Diff::sentences() const {
  std::vector<std::string> all = sentences_;
  if (has_large()) all.push_back(large_.sentence("change"));
  return all;
}

}  // namespace evt::tools
