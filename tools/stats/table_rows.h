// Rows of tables of several runs: what identifies them, and their cells by column.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/table.h"

namespace evt::tools {

using Columns = std::vector<Table::Column>;
using RowKey = std::vector<std::string>;

// The key columns of the widest table: some may lack them. What is nothing in all is hidden.
Columns keys_of(const std::vector<const Table*>& tables);
// The others of the first table, and what the next ones have beside them.
Columns values_of(const std::vector<const Table*>& tables);
// Neither a text nor, since these say nothing as differences, a percentage, a moment or the number of a thread.
bool is_compared(const Table::Column& column);

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

// What a cell is, so that no two that differ are the same. What is not there is as nothing.
std::string identity_of(const Cell* cell);
// The column is the name of what the one before it numbers.
bool is_name(const Columns& columns, std::size_t column);
// What a row is about in another run: threads by their names, programs without the numbers of their processes.
// `columns`: the key's. `with_numbers`: a thread without a name keeps its number.
RowKey key_in_other_run(const RowsBy& rows, std::size_t row, const Columns& columns, bool with_numbers);
// The same with all texts as they are, but without numbers of threads.
RowKey exact_key(const RowsBy& rows, std::size_t row, const Columns& columns);

// A row as users see it.
struct RowName {
  Table::Row cells;  // of its key
  std::string text;  // with the name of its table in front
};
RowName name_of(const RowsBy& rows, std::size_t row, const Columns& keys, const std::string& table);
// A few of them, in a sentence.
std::string listed(const std::vector<std::string>& rows);

}  // namespace evt::tools
