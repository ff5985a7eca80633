#include "stats/runs_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "stats/table_rows.h"
#include "stats/welch.h"

namespace evt::tools {

// A row that several runs have.
struct RunRow {
  RowName name;
  std::array<std::size_t, 2> runs{};                       // that have it: before, and after
  std::array<std::vector<std::vector<double>>, 2> values;  // of these, by column
};

namespace {

// Below this many values, some that differ by chance need no warning.
constexpr std::uint64_t kFew = 20;

// The numbers in texts such as sort.99:102.
std::vector<std::uint64_t> numbers_in(const RowsBy& rows, std::size_t row, std::size_t columns) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < columns; ++i) {
    bool is_number = false;
    for (const char c : identity_of(rows.cell(row, i))) {
      const bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
      if (is_digit && !is_number) numbers.push_back(0);
      if (is_digit) numbers.back() = numbers.back() * 10 + static_cast<std::uint64_t>(c - '0');
      is_number = is_digit;
    }
  }
  return numbers;
}

// What a row is about, and its place among those of which it is the same: in the order of their numbers, which is that
// in which they were made.
using RowPlace = std::pair<RowKey, std::size_t>;

// `exact`: keys that rows of both sides have.
std::vector<RowPlace> places_of(const RowsBy& rows, const Columns& keys, const std::set<RowKey>& exact) {
  std::map<RowKey, std::vector<std::size_t>> same;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    RowKey key = exact_key(rows, i, keys);
    if (exact.contains(key)) {
      key.emplace_back("exact");
    } else {
      key = key_in_other_run(rows, i, keys, false);
    }
    same[std::move(key)].push_back(i);
  }
  std::vector<RowPlace> places(rows.size());
  for (auto& [key, group] : same) {
    std::ranges::stable_sort(group, {}, [&](std::size_t row) { return numbers_in(rows, row, keys.size()); });
    for (std::size_t i = 0; i < group.size(); ++i) places[group[i]] = {key, i};
  }
  return places;
}

// The rows of all runs of a table.
class RunRows {
 public:
  // As in RunsDiff::compare(). Those after come first, as they are what users look at.
  RunRows(const std::vector<Table>& tables, std::size_t before) {
    std::vector<const Table*> in_order;
    for (std::size_t i = 0; i < tables.size(); ++i) in_order.push_back(&tables[(before + i) % tables.size()]);
    keys_ = keys_of(in_order);
    values_ = values_of(in_order);
    const std::size_t after = tables.size() - before;
    find_exact(in_order, after);
    for (std::size_t i = 0; i < in_order.size(); ++i) take(*in_order[i], i < after ? 1 : 0);
  }

  const Columns& keys() const { return keys_; }
  const Columns& values() const { return values_; }
  const std::vector<RunRow>& rows() const { return rows_; }

 private:
  // What is called the same on both sides is the same, whatever its number.
  void find_exact(const std::vector<const Table*>& tables, std::size_t after) {
    std::set<RowKey> of_after;
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const RowsBy cells(*tables[i], keys_);
      for (std::size_t row = 0; row < cells.size(); ++row) {
        RowKey key = exact_key(cells, row, keys_);
        if (i < after) {
          of_after.insert(std::move(key));
        } else if (of_after.contains(key)) {
          exact_.insert(std::move(key));
        }
      }
    }
  }

  void take(const Table& table, std::size_t side) {
    Columns all = keys_;
    all.insert(all.end(), values_.begin(), values_.end());
    const RowsBy cells(table, all);
    const std::vector<RowPlace> places = places_of(cells, keys_, exact_);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto [at, is_new] = known_.try_emplace(places[i], rows_.size());
      if (is_new) {
        rows_.push_back({name_of(cells, i, keys_, table.name()), {}, {}});
        for (auto& values : rows_.back().values) values.resize(values_.size());
      }
      ++rows_[at->second].runs[side];
      add(cells, i, &rows_[at->second].values[side]);
    }
  }

  // Of a column that is not there it is 0.
  void add(const RowsBy& cells, std::size_t row, std::vector<std::vector<double>>* values) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Cell* const cell = cells.cell(row, keys_.size() + i);
      if (cell == nullptr || !cell->is_empty()) (*values)[i].push_back(cell != nullptr ? cell->as_double() : 0);
    }
  }

  Columns keys_;
  Columns values_;
  std::vector<RunRow> rows_;
  std::set<RowKey> exact_;
  std::map<RowPlace, std::size_t> known_;  // places in rows_
};

Cell number_cell(double value, CellKind kind) {
  constexpr double kWhole = 9'007'199'254'740'992;  // 2^53: below, a double has each whole number
  if (kind != CellKind::kCount) return Cell(value).as(kind);
  const bool is_whole = std::abs(value) < kWhole && value == std::trunc(value);
  return is_whole ? Cell(static_cast<std::int64_t>(value)).as(kind) : Cell(value);
}

// Infinite from 0.
double percent_of_change(double before, double change) {
  if (change == 0) return 0;
  return before != 0 ? 100 * change / std::abs(before) : std::copysign(std::numeric_limits<double>::infinity(), change);
}

Columns result_columns(const Columns& keys) {
  Columns columns = keys;
  columns.push_back({"column", CellKind::kText});
  for (const char* const name : {"before", "before deviation", "after", "after deviation", "change", "low", "high"}) {
    columns.push_back({name, CellKind::kNumber});
  }
  columns.push_back({"%", CellKind::kPercent});
  columns.push_back({"significant", CellKind::kText});
  columns.push_back({"before runs", CellKind::kCount});
  columns.push_back({"after runs", CellKind::kCount});
  return columns;
}

const Table* table_called(const std::string& name, const Findings& findings) {
  const auto found = std::ranges::find(findings.tables, name, &Table::name);
  return found != findings.tables.end() ? &*found : nullptr;
}

const Findings* findings_of(const std::string& analysis, const SessionFindings& session) {
  const auto found = std::ranges::find(session.by_analysis, analysis, &std::pair<std::string, Findings>::first);
  return found != session.by_analysis.end() ? &found->second : nullptr;
}

// Those of the first, and what the others have beside them.
std::vector<std::string> names_of_tables(const std::vector<const Findings*>& findings) {
  std::vector<std::string> names;
  for (const Findings* const each : findings) {
    for (const Table& table : each->tables) {
      const bool is_known = std::ranges::find(names, table.name()) != names.end();
      if (!is_known && !table.is_of_single_things()) names.push_back(table.name());
    }
  }
  return names;
}

}  // namespace

void RunsDiff::add(const RunRow& row, const Table::Column& column, std::size_t place, Table* table) {
  const Measurements before = measurements_of(row.values[0][place]);
  const Measurements after = measurements_of(row.values[1][place]);
  const bool in_both = before.size > 0 && after.size > 0;
  const double change = after.mean - before.mean;
  const std::optional<MeanChange> found = welch(before, after);
  compared_ += found && before.deviation + after.deviation > 0 ? 1 : 0;
  if (in_both ? change == 0 : before.mean == 0 && after.mean == 0) return;
  if (options_.only_significant && !(found && found->is_significant)) return;
  const std::string name = options_.for_programs ? column.key() : column.name;
  const double percent = percent_of_change(before.mean, change);
  if (found && found->is_significant) large_.take(fmt::format("{}: {}", row.name.text, name), column, percent);
  const auto number_if = [&](bool is_known, double value) {
    return is_known ? number_cell(value, column.kind) : Cell();
  };
  Table::Row cells = row.name.cells;
  cells.insert(
      cells.end(),
      {name, number_if(before.size > 0, before.mean), number_if(before.size > 1, before.deviation),
       number_if(after.size > 0, after.mean), number_if(after.size > 1, after.deviation), number_if(in_both, change),
       number_if(found.has_value(), found ? found->low : 0), number_if(found.has_value(), found ? found->high : 0),
       in_both && std::isfinite(percent) ? Cell(percent) : Cell(),
       found ? Cell(found->is_significant ? "yes" : "no") : Cell(), std::uint64_t{before.size},
       std::uint64_t{after.size}});
  table->add(std::move(cells));
}

Table RunsDiff::compare(const std::vector<Table>& tables, std::size_t before) {
  const RunRows all(tables, before);
  Table table(tables.front().name(), all.keys().size() + 1, result_columns(all.keys()));
  for (const RunRow& row : all.rows()) {
    const bool is_in_both = row.runs[0] > 0 && row.runs[1] > 0;
    if (!is_in_both) (row.runs[0] == 0 ? only_after_ : only_before_).push_back(row.name.text);
    const std::size_t rows_before = table.rows().size();
    for (std::size_t i = 0; i < all.values().size(); ++i) {
      if (is_compared(all.values()[i])) add(row, all.values()[i], i, &table);
      // People want to know that it is there.
      if (!options_.for_programs && !is_in_both && table.rows().size() > rows_before) break;
    }
  }
  return table;
}

Findings RunsDiff::compare(const std::vector<const Findings*>& findings, std::size_t before) {
  only_before_.clear();
  only_after_.clear();
  Findings both;
  for (const std::string& name : names_of_tables(findings)) {
    std::vector<Table> tables;
    for (const Findings* const each : findings) {
      const Table* const table = table_called(name, *each);
      tables.push_back(table != nullptr ? *table : Table(name, 0, {}));
    }
    both.tables.push_back(compare(tables, before));
  }
  for (const auto& [rows, where] : {std::pair(&only_before_, "before"), std::pair(&only_after_, "after")}) {
    if (rows->empty()) continue;
    both.notes.push_back(fmt::format("{} only in runs {}: {}", counted(rows->size(), "row"), where, listed(*rows)));
  }
  const bool same = std::ranges::all_of(both.tables, [](const Table& table) { return table.rows().empty(); });
  if (same && both.notes.empty()) {
    both.notes.emplace_back(options_.only_significant ? "no significant difference" : "no difference");
  }
  return both;
}

RunFindings RunsDiff::compare(const std::vector<RunFindings>& before, const std::vector<RunFindings>& after) {
  std::vector<const RunFindings*> runs;
  for (const RunFindings& run : before) runs.push_back(&run);
  for (const RunFindings& run : after) runs.push_back(&run);
  const auto sizes = [](const RunFindings* run) { return run->size(); };
  const auto [fewest, most] = std::ranges::minmax(runs, {}, sizes);
  RunFindings all;
  for (std::size_t i = 0; i < fewest->size(); ++i) {
    const SessionFindings& like = after.front()[i];
    SessionFindings& both = all.emplace_back(SessionFindings{like.session, like.range, like.events, {}});
    for (const auto& [analysis, unused] : like.by_analysis) {
      std::vector<const Findings*> findings;
      for (const RunFindings* const run : runs) findings.push_back(findings_of(analysis, (*run)[i]));
      // An analysis that one of them cannot have, as its events are a sample, was refused for it.
      if (std::ranges::find(findings, nullptr) != findings.end()) continue;
      both.by_analysis.emplace_back(analysis, compare(findings, before.size()));
      for (const std::string& note : both.by_analysis.back().second.notes) {
        sentences_.push_back(fmt::format("{}: {}", analysis, note));
      }
    }
  }
  if (fewest->size() != most->size()) {
    sentences_.push_back(fmt::format("runs have {} to {}: rows without a partner are not compared", fewest->size(),
                                     counted(most->size(), "session")));
  }
  if (before.size() < 2 || after.size() < 2) {
    sentences_.push_back("significance needs two runs on each side");
  }
  return all;
}

std::vector<std::string> RunsDiff::sentences() const {
  std::vector<std::string> all = sentences_;
  if (compared_ >= kFew) {
    all.push_back(fmt::format("{} compared at {:.0f} % confidence: about {:.0f} would be significant by chance",
                              counted(compared_, "value"), 100 * kConfidence,
                              (1 - kConfidence) * static_cast<double>(compared_)));
  }
  if (has_large()) all.push_back(large_.sentence("significant change"));
  return all;
}

}  // namespace evt::tools
