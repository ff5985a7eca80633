// Which rows of two tables are about the same.
#pragma once

#include <optional>
#include <vector>

#include "base/table.h"

namespace evt::tools {

// The cells of a table's rows by the columns of another with the same name, as columns without any value are left
// out of tables.
class RowsBy {
 public:
  RowsBy(const Table& table, const std::vector<Table::Column>& columns);

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
std::vector<RowPair> pairs_of(const RowsBy& before, const RowsBy& after, const std::vector<Table::Column>& columns);

}  // namespace evt::tools
