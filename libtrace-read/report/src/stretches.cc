#include "stretches.h"

#include <algorithm>

namespace evt::report {
namespace {

// For a table without rows. One that has its own times keeps their names.
Table with_stretch(const Table& table) {
  const bool has_times = table.column("from").has_value() || table.column("to").has_value();
  std::vector<Table::Column> columns = {{has_times ? "stretch from" : "from", CellKind::kTime},
                                        {has_times ? "stretch to" : "to", CellKind::kTime}};
  columns.insert(columns.end(), table.columns().begin(), table.columns().end());
  Table whole(table.name(), table.key_columns() + 2, std::move(columns));
  if (table.is_of_single_things()) whole.set_of_single_things();
  return whole;
}

auto is_called(const Table& like) {
  return [&like](const Table& each) { return each.name() == like.name(); };
}

}  // namespace

Table Stretches::of(const Table& table) const {
  const auto found = std::ranges::find_if(tables_, is_called(table));
  return found != tables_.end() ? *found : with_stretch(table);
}

void Stretches::add(TimeRange stretch, const std::vector<Table>& tables) {
  for (const Table& table : tables) {
    auto whole = std::ranges::find_if(tables_, is_called(table));
    if (whole == tables_.end()) whole = tables_.insert(tables_.end(), with_stretch(table));
    std::vector<std::size_t> places;
    for (const Table::Column& column : table.columns()) {
      places.push_back(whole->shared_column(column, places.empty() ? 2 : places.back() + 1));
    }
    for (const Table::Row& of_stretch : table.rows()) {
      Table::Row row(whole->columns().size());
      row[0] = stretch.from_ns;
      row[1] = stretch.to_ns;
      for (std::size_t i = 0; i < of_stretch.size(); ++i) row[places[i]] = of_stretch[i];
      whole->add(std::move(row));
    }
  }
}

}  // namespace evt::report
