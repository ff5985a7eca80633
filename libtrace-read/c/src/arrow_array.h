// Rows of a table, and its columns, in Arrow's notation.
#pragma once

#include <evt/arrow.h>
#include <evt/export/table.h>

namespace evt::reader {

// A table's columns: a struct of them. The caller releases it.
void export_schema(const Table& table, ArrowSchema* to);

// Its rows: a struct of the columns, which are not copied. The caller releases it.
void export_rows(TableBatch rows, ArrowArray* to);

}  // namespace evt::reader
