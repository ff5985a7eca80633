// Rows of a table in RowBinary, a format of ClickHouse.
#pragma once

#include <evt/export/table.h>
#include <evt/text/text_buffer.h>

#pragma GCC visibility push(default)
namespace evt {

// Consecutive rows, with values of the columns' types from append_clickhouse_tables(): equal rows are equal bytes, in
// whatever batches they come.
void append_row_binary(TextBuffer& out, const TableBatch& rows);

}  // namespace evt
#pragma GCC visibility pop
