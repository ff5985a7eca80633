// The tables of all analyses and their columns, as docs/TABLES.md has them.
#pragma once

#include <evt/export/table.h>
#include <evt/report_table.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace evt::report {

// What the cells of a column are in every trace, whatever one has.
enum class ValueKind : std::uint8_t {
  kText,
  kCount,
  kTime,        // ns since the session's start
  kDuration,    // ns
  kDifference,  // ns, of two durations
  kPercent,
  kRate,
  kNumber,
};

struct DescribedColumn {
  const char* key;  // Table::Column::key(); one that ends in * is of all that begin so
  ValueKind kind;
  const char* what;
};

struct DescribedTable {
  const char* analysis;
  const char* name;
  const char* what;
  std::span<const DescribedColumn> columns;  // with all options
};

// In the order of the analyses, the first of each is what it is asked for first.
std::span<const DescribedTable> described_tables();
// Null: there is none.
const DescribedTable* described_table(std::string_view analysis, std::string_view name);
// A column of it by its key; one without a description, of what its cells are shown as, if there is none.
Column described_column(const DescribedTable& table, const Table::Column& column);
Column described_column(const DescribedColumn& column);

}  // namespace evt::report
