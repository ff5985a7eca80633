// Rows of a table in RowBinary, a format of ClickHouse.
#pragma once

#include <evt/export/table.h>
#include <evt/text/text_buffer.h>

#pragma GCC visibility push(default)
namespace evt {

// One row behind another, with values of the types that append_clickhouse_tables() has for the columns: the same rows
// are the same bytes, in whatever batches they come.
void append_row_binary(TextBuffer& out, const TableBatch& rows);

}  // namespace evt
#pragma GCC visibility pop
