#include "stats/diff.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <set>

namespace evt::tools {
namespace {

// What a cell is, so that no two that differ are the same. What is not there is as nothing.
std::string identity_of(const Cell* cell) {
  if (cell == nullptr || cell->is_empty()) return "";
  if (cell->text() != nullptr) return cell->text()->empty() ? "" : "=" + *cell->text();
  if (cell->as_signed() != nullptr) return fmt::format("{}", *cell->as_signed());
  if (cell->as_unsigned() != nullptr) return fmt::format("{}", *cell->as_unsigned());
  return fmt::format("{}", cell->as_double());
}

// The column is the name of what the one before it numbers.
bool is_name(const std::vector<Table::Column>& columns, std::size_t column) {
  const std::string& name = columns[column].name;
  return column > 0 && columns[column].kind == CellKind::kText && (name == "name" || name.ends_with(" name")) &&
         columns[column - 1].kind != CellKind::kText;
}

using Key = std::vector<std::string>;

// Of texts like sort.14535:14870, pipe:[5839702] and 0x559df3d6b100, what is the same each time that a program runs.
std::string without_numbers(const std::string& text) {
  std::string rest;
  for (std::size_t i = 0; i < text.size(); ++i) {
    rest += text[i];
    const bool is_hex = rest.ends_with("0x");
    if (!is_hex && text[i] != '.' && text[i] != ':' && text[i] != '[' && text[i] != '#') continue;
    const char* const digits = is_hex ? "0123456789abcdef" : "0123456789";
    i = std::min(text.find_first_not_of(digits, i + 1), text.size()) - 1;
  }
  return rest;
}

// The cells of a table's rows by the columns of another with the same name, as columns without any value are left
// out of tables.
class RowsBy {
 public:
  RowsBy(const Table& table, const std::vector<Table::Column>& columns) : table_(&table) {
    for (const Table::Column& wanted : columns) {
      std::optional<std::size_t> place;
      for (std::size_t i = 0; i < table.columns().size(); ++i) {
        const Table::Column& column = table.columns()[i];
        if (column.name == wanted.name && column.kind == wanted.kind) place = i;
      }
      place_.push_back(place);
    }
  }

  std::size_t size() const { return table_->rows().size(); }
  // Null where the table does not have the column.
  const Cell* cell(std::size_t row, std::size_t column) const {
    return place_[column] ? &table_->rows()[row][*place_[column]] : nullptr;
  }

 private:
  const Table* table_;
  std::vector<std::optional<std::size_t>> place_;
};

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
std::vector<std::size_t> telling(const RowsBy& before, const RowsBy& after, const std::vector<Table::Column>& columns) {
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

// What a row is about in another run: threads by their names, programs without the numbers of their processes.
Key key_in_other_run(const RowsBy& rows, std::size_t row, const std::vector<Table::Column>& columns) {
  Key key;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string identity = identity_of(rows.cell(row, i));
    if (is_name(columns, i) && !identity.empty()) {
      key.back() = identity;
    } else {
      key.push_back(columns[i].name == "name" ? identity : without_numbers(identity));
    }
  }
  return key;
}

Key key_of(const RowsBy& rows, std::size_t row, const std::vector<std::size_t>& columns) {
  Key key;
  for (const std::size_t column : columns) key.push_back(identity_of(rows.cell(row, column)));
  return key;
}

std::vector<RowPair> pairs_of(const RowsBy& before, const RowsBy& after, const std::vector<Table::Column>& columns) {
  const std::vector<std::size_t> tell = telling(before, after, columns);
  std::map<Key, std::deque<std::size_t>> waiting;  // rows of `before`
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
  std::map<Key, std::deque<std::size_t>> others;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!is_paired[i]) others[key_in_other_run(before, i, columns)].push_back(i);
  }
  for (RowPair& pair : pairs) {
    if (pair.before) continue;
    const auto found = others.find(key_in_other_run(after, *pair.after, columns));
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

using Columns = std::vector<Table::Column>;

// Those of the first, and what the second has beside them.
Columns both_of(const Columns& first, const Columns& second) {
  Columns all = first;
  for (const Table::Column& column : second) {
    const bool known = std::ranges::any_of(
        first, [&](const Table::Column& each) { return each.name == column.name && each.kind == column.kind; });
    if (!known) all.push_back(column);
  }
  return all;
}

// The key columns, of which one trace may have no table. What is nothing in both is hidden.
Columns keys_of(const Table& before, const Table& after) {
  const Table& table = before.key_columns() > after.key_columns() ? before : after;
  const Table& other = &table == &before ? after : before;
  Columns keys(table.columns().begin(), table.columns().begin() + static_cast<std::ptrdiff_t>(table.key_columns()));
  for (Table::Column& key : keys) {
    const auto same = other.column(key.name);
    key.is_hidden &= !same || other.columns()[*same].is_hidden;
    key.hides_if_empty = false;
  }
  return keys;
}

Columns values_of(const Table& table) {
  return {table.columns().begin() + static_cast<std::ptrdiff_t>(table.key_columns()), table.columns().end()};
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

bool is_judged(CellKind kind) {
  return kind == CellKind::kCount || kind == CellKind::kDuration || kind == CellKind::kBytes;
}

// A few of them.
std::string listed(const std::vector<std::string>& rows) {
  constexpr std::size_t kMost = 4;
  const std::size_t shown = std::min(rows.size(), kMost);
  const std::string list =
      fmt::format("{}", fmt::join(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return shown == rows.size() ? list : fmt::format("{} and {} more", list, rows.size() - shown);
}

std::string plain_text(const Cell& cell) {
  if (cell.text() != nullptr) return *cell.text();
  if (cell.as_signed() != nullptr) return fmt::format("{}", *cell.as_signed());
  return cell.as_unsigned() != nullptr ? fmt::format("{}", *cell.as_unsigned()) : "";
}

}  // namespace

void Diff::judge(const std::string& where, const Table::Column& column, const Cell& before, const Cell& after) {
  if (!options_.limit || !is_judged(column.kind) || before.is_empty() || after.is_empty()) return;
  const double percent = std::abs(percent_of_change(before, after));
  if (percent <= *options_.limit) return;
  ++verdict_.too_large;
  if (percent <= verdict_.largest) return;
  verdict_.largest = percent;
  verdict_.where = where;
}

Table Diff::compare(const Table& before, const Table& after) {
  const Columns keys = keys_of(before, after);
  const Columns values = both_of(values_of(after), values_of(before));
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
    Table::Row key;
    std::string where = after.name();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Cell* const cell = pair.after ? is.cell(*pair.after, i) : was.cell(*pair.before, i);
      key.push_back(cell != nullptr ? *cell : Cell());
      if (key.back().is_empty() || plain_text(key.back()).empty()) continue;
      where += " " + plain_text(key.back());
    }
    if (!pair.after) only_before_.push_back(where);
    if (!pair.before) only_after_.push_back(where);
    for (std::size_t i = keys.size(); i < all.size(); ++i) {
      const Table::Column& column = all[i];
      if (column.kind == CellKind::kText || column.kind == CellKind::kPercent || column.kind == CellKind::kTime)
        continue;
      const Cell a = pair.before ? value_of(was, *pair.before, i) : Cell();
      const Cell b = pair.after ? value_of(is, *pair.after, i) : Cell();
      const double percent = percent_of_change(a, b);
      const bool in_both = !a.is_empty() && !b.is_empty();
      if (in_both ? percent == 0 : is_nothing(a) && is_nothing(b)) continue;
      const std::string name = options_.for_programs ? column.key() : column.name;
      judge(fmt::format("{}: {}", where, name), column, a, b);
      Table::Row row = key;
      row.push_back(name);
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
    sentences_.push_back(fmt::format("{} has {}, {} has {}: those without a partner are not compared", options_.before,
                                     counted(before.size(), "session"), options_.after,
                                     counted(after.size(), "session")));
  }
  return all;
}

const std::vector<std::string>& Diff::sentences() {
  if (verdict_.too_large == 0) return sentences_;
  const std::string by = std::isfinite(verdict_.largest) ? fmt::format("{:.1f} %", verdict_.largest) : "from 0";
  sentences_.push_back(fmt::format("{} of more than {} %, the largest by {}: {}", counted(verdict_.too_large, "change"),
                                   *options_.limit, by, verdict_.where));
  return sentences_;
}

}  // namespace evt::tools
