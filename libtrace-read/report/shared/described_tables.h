// The tables of all analyses and their columns, as documented in docs/TABLES.md.
#pragma once

#include <evt/export/table.h>
#include <evt/report_table.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace evt::report {

struct DescribedColumn {
  // Values of the cells: of their kind; texts, because some are not numbers in other traces; or differences, which may
  // be negative.
  enum class Values : std::uint8_t { kOfKind, kTexts, kSigned };

  const char* name;  // Table::Column::name; one that ends in * matches all that begin so
  CellKind kind;
  const char* what;
  Values values = Values::kOfKind;
  bool hides_if_empty = false;  // Table::Column::hides_if_empty

  bool is_pattern() const { return std::string_view(name).ends_with('*'); }
  std::string key() const;
};

struct DescribedTable {
  const char* analysis;
  const char* name;
  const char* what;
  std::span<const DescribedColumn> columns;  // with all options
  std::size_t keys = 0;                      // the number of leading key columns
};

// In the order of the analyses; the first of each is its main table.
std::span<const DescribedTable> described_tables();
// Null: not found.
const DescribedTable* described_table(std::string_view analysis, std::string_view name);

// An empty table with all columns of its description, except patterns. REQUIRES, for all three: it is described.
Table new_table(std::string_view analysis, std::string_view name);
// Only these of the keys.
Table new_table(std::string_view analysis, std::string_view name, const std::vector<const char*>& keys);
// Table::facts().
Table new_facts(std::string_view analysis, std::string_view name, Table::Row row);

// Its description of the column; one without text, from the kind of its cells, if there is none.
Column described_column(const DescribedTable& table, const Table::Column& column);
Column described_column(const DescribedColumn& column);

}  // namespace evt::report
