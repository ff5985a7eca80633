// Rows of a table as Arrow's arrays.
#pragma once

#include <evt/arrow.h>
#include <evt/export/table.h>

namespace evt::reader {

// A struct of the columns, which are not copied. The caller releases it.
void export_rows(TableBatch rows, ArrowArray* to);

}  // namespace evt::reader
