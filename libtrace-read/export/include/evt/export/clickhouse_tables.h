// Tables in ClickHouse: the statements that make them, and insert into them.
#pragma once

#include <evt/export/table.h>
#include <evt/text/text_buffer.h>

#include <span>
#include <string>

#pragma GCC visibility push(default)
namespace evt {

// Where the tables are.
struct ClickHousePlace {
  std::string database = "evt";
  std::string cluster{};  // empty: on one server
};

// Statements that make the tables, if they are not there, each with a `;` and a line of its own; behind each a query
// that fails if the table is there with other columns. On a cluster the rows of a session are on one shard, in tables
// of the database `..._local` that are replicated; the table of `database` is all of them. It refers to the macros
// `shard` and `replica` of the servers.
//
// Types: UInt8 for truth values, Int64 for times (UTC in ns since 1970), String for texts and bytes, LowCardinality
// where few differ, Nullable but for columns that have a value in each row; a list that is null is an empty one. A
// table with a time has it as `day` and `second` too, which are computed from it, and a partition for each day.
void append_clickhouse_tables(TextBuffer& out, std::span<const Table* const> tables, const ClickHousePlace& place);

// The statement for rows of append_row_binary(), without a `;`, and a new line.
void append_clickhouse_insert(TextBuffer& out, const Table& table, const ClickHousePlace& place);

}  // namespace evt
#pragma GCC visibility pop
