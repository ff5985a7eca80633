// The tables of all analyses and their columns, as docs/TABLES.md has them.
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
  // Of the cells: of their kind; texts, as other traces have some that are no numbers; or differences, which may be
  // less than 0.
  enum class Values : std::uint8_t { kOfKind, kTexts, kSigned };

  const char* name;  // Table::Column::name; one that ends in * is of all that begin so
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
  std::size_t keys = 0;                      // of them, the first
};

// In the order of the analyses, the first of each is what it is asked for first.
std::span<const DescribedTable> described_tables();
// Null: there is none.
const DescribedTable* described_table(std::string_view analysis, std::string_view name);

// An empty one with all columns of its description, but for patterns. REQUIRES, of all three: it is described.
Table new_table(std::string_view analysis, std::string_view name);
// Of the keys these.
Table new_table(std::string_view analysis, std::string_view name, const std::vector<const char*>& keys);
// Table::facts().
Table new_facts(std::string_view analysis, std::string_view name, Table::Row row);

// A column of it; one without a description, of what its cells are shown as, if there is none.
Column described_column(const DescribedTable& table, const Table::Column& column);
Column described_column(const DescribedColumn& column);

}  // namespace evt::report
