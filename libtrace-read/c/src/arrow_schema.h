// A table's columns in Arrow's notation.
#pragma once

#include <evt/arrow.h>
#include <evt/export/table.h>

namespace evt::reader {

// A struct of the columns. The caller releases it.
void export_schema(const Table& table, ArrowSchema* to);

}  // namespace evt::reader
