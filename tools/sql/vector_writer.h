// Columns of evt's tables, as DuckDB has them.
#pragma once

#include <evt/export/table.h>

#include <cstddef>
#include <string_view>

#include "sql/duckdb_api.h"

namespace evt::tools {

// The caller destroys it.
duckdb::LogicalType logical_type_of(const duckdb::Api& api, const Column& column);

// Writes rows `from` to `from + rows` into the vector. REQUIRES: `from` is a multiple of 8; the vector is of that type,
// and has room for the rows.
void write_rows(const duckdb::Api& api, const Column& column, const ColumnValues& values, std::size_t from,
                std::size_t rows, duckdb::Vector to);

// The same text in each row.
void write_same(const duckdb::Api& api, std::string_view text, std::size_t rows, duckdb::Vector to);

}  // namespace evt::tools
