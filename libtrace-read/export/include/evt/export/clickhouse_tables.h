// Tables in ClickHouse: the statements that make them, and insert into them.
#pragma once

#include <evt/export/table.h>
#include <evt/text/text_buffer.h>

#include <span>
#include <string>

#pragma GCC visibility push(default)
namespace evt {

// The database of the tables.
struct ClickHousePlace {
  std::string database = "evt";
  std::string cluster{};  // empty: on one server
};

// Statements that make missing tables, each with a `;` and on its own line; each is followed by a query that fails if
// the table exists with other columns. On a cluster the rows of a session are on one shard, in replicated tables of the
// database `..._local`; the table of `database` combines them. It refers to the macros `shard` and `replica` of the
// servers.
//
// Types: UInt8 for truth values, Int64 for times (UTC in ns since 1970), String for texts and bytes, LowCardinality for
// few distinct values, Nullable except for columns that have a value in each row; a null list becomes an empty one. A
// table with a time also has it as `day` and `second`, which are computed from it, and a partition for each day.
void append_clickhouse_tables(TextBuffer& out, std::span<const Table* const> tables, const ClickHousePlace& place);

// The statement for rows of append_row_binary(), without a `;`, and a new line.
void append_clickhouse_insert(TextBuffer& out, const Table& table, const ClickHousePlace& place);

}  // namespace evt
#pragma GCC visibility pop
