#include "stats/sparklines.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/table_forms.h"
#include "libtrace-read/text/utf8.h"
#include "libtrace-view/terminal/glyphs.h"

namespace evt::tools {
namespace {

constexpr std::size_t kStretch = 2;  // columns: its begin and its end
constexpr const char* kMostTelling[] = {"running", "mean", "self", "time", "collector", "active", "events"};

using Values = std::vector<std::optional<double>>;  // by stretch

std::map<double, std::size_t> places_of(const Table& table) {
  std::map<double, std::size_t> places;
  for (const Table::Row& row : table.rows()) places[row[0].as_double()];
  std::size_t place = 0;
  for (auto& [ns, at] : places) at = place++;
  return places;
}

std::vector<std::size_t> numbers_of(const Table& table) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = table.key_columns(); i < table.columns().size(); ++i) {
    const Table::Column& column = table.columns()[i];
    const bool is_number = column.kind != CellKind::kText && column.kind != CellKind::kTime;
    if (is_number && !column.is_hidden) numbers.push_back(i);
  }
  return numbers;
}

std::vector<std::size_t> drawn_of(const Table& table, const std::vector<std::string>& names) {
  const std::vector<std::size_t> numbers = numbers_of(table);
  if (names.empty() && table.key_columns() <= kStretch) return numbers;
  std::vector<std::size_t> drawn;
  for (const std::size_t number : numbers) {
    const auto is_it = [&](const std::string& name) { return table.column(name) == number; };
    if (std::ranges::any_of(names, is_it)) drawn.push_back(number);
  }
  if (!names.empty()) return drawn;
  for (const char* const name : kMostTelling) {
    const auto found = table.column(name);
    if (found && std::ranges::find(numbers, *found) != numbers.end()) return {*found};
  }
  return numbers.empty() ? numbers : std::vector<std::size_t>{numbers.front()};
}

std::string bars_of(const Values& values, double least, double most, std::size_t width, bool has_blocks) {
  constexpr double kFull = 8;
  const double base = std::min(least, 0.0);
  const std::size_t each = (values.size() + width - 1) / width;
  std::string bars;
  for (std::size_t at = 0; at < values.size(); at += each) {
    std::optional<double> value;
    for (std::size_t i = at; i < std::min(at + each, values.size()); ++i) value = std::max(value, values[i]);
    const double eighths = most > base && value ? kFull * (*value - base) / (most - base) : 0;
    bars += value ? view::bar_of(std::max(eighths, 1.0), has_blocks) : " ";
  }
  return bars;
}

class Drawing {
 public:
  Drawing(const Table& table, const std::vector<std::string>& names, const SparklineLook& look)
      : table_(table), look_(look), drawn_(drawn_of(table, names)), places_(places_of(table)) {
    for (std::size_t i = kStretch; i < table.key_columns(); ++i) {
      if (!table.columns()[i].is_hidden) keys_.push_back(i);
    }
  }

  Table table() {
    for (const Table::Row& row : table_.rows()) take(row);
    std::vector<Table::Column> columns;
    for (const std::size_t key : keys_) columns.push_back(table_.columns()[key]);
    columns.insert(columns.end(), {{"of", CellKind::kText},
                                   {"min", CellKind::kNumber},
                                   {"max", CellKind::kNumber},
                                   {"over time", CellKind::kText}});
    Table table(table_.name(), columns.size() - 3, std::move(columns));
    const std::size_t width = room_for_bars();
    for (const Line& line : lines_) table.add(row_of(line, width));
    return table;
  }

 private:
  struct Line {
    Table::Row keys;
    std::size_t column = 0;
    Values values;
    Cell least;
    Cell most;
  };

  void take(const Table::Row& row) {
    Table::Row keys;
    std::string text;
    for (const std::size_t key : keys_) {
      keys.push_back(row[key]);
      text += cell_text(row[key], CellKind::kText, true) + '\0';
    }
    for (const std::size_t column : drawn_) {
      const auto [place, is_new] = by_text_.try_emplace(text + std::to_string(column), lines_.size());
      if (is_new) lines_.push_back({keys, column, Values(places_.size()), {}, {}});
      if (!row[column].is_empty()) add(places_[row[0].as_double()], row[column], &lines_[place->second]);
    }
  }

  static void add(std::size_t place, const Cell& cell, Line* line) {
    const double value = cell.as_double();
    line->values[place] = std::max(line->values[place], std::optional(value));
    if (line->least.is_empty() || value < line->least.as_double()) line->least = cell;
    if (line->most.is_empty() || value > line->most.as_double()) line->most = cell;
  }

  // Beside the keys and two numbers.
  std::size_t room_for_bars() const {
    constexpr std::size_t kNumbers = 22;
    constexpr std::size_t kLeast = 12;
    constexpr std::size_t kMost = 60;
    std::size_t used = kNumbers;
    for (std::size_t i = 0; i < keys_.size(); ++i) used += 2 + width_of(i);
    std::size_t names = 0;
    for (const std::size_t column : drawn_) names = std::max(names, table_.columns()[column].name.size());
    used += 2 + names;
    return std::clamp(look_.columns - std::min(used, look_.columns), kLeast, kMost);
  }

  std::size_t width_of(std::size_t key) const {
    std::size_t width = table_.columns()[keys_[key]].name.size();
    for (const Line& line : lines_) {
      width = std::max(width, evt::columns_of(cell_text(line.keys[key], table_.columns()[keys_[key]].kind, false)));
    }
    return width;
  }

  Table::Row row_of(const Line& line, std::size_t width) const {
    const Table::Column& column = table_.columns()[line.column];
    Table::Row row = line.keys;
    row.emplace_back(column.name);
    row.push_back(line.least.as(line.least.seen_in(column.kind)));
    row.push_back(line.most.as(line.most.seen_in(column.kind)));
    row.emplace_back(bars_of(line.values, line.least.as_double(), line.most.as_double(), width, look_.has_blocks));
    return row;
  }

  const Table& table_;
  SparklineLook look_;
  std::vector<std::size_t> drawn_;
  std::vector<std::size_t> keys_;
  std::map<double, std::size_t> places_;  // of stretches, by their begins
  std::map<std::string, std::size_t> by_text_;
  std::vector<Line> lines_;  // in the order in which they were met
};

}  // namespace

std::size_t steps_of(const Table& table) { return places_of(table).size(); }

Table sparklines(const Table& table, const std::vector<std::string>& names, const SparklineLook& look) {
  return Drawing(table, names, look).table();
}

}  // namespace evt::tools
