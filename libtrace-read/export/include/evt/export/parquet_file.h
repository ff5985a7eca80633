// Rows of a table as an Apache Parquet file (format 2.10).
#pragma once

#include <evt/export/table.h>
#include <evt/opaque.h>
#include <evt/text/text_buffer.h>

#include <memory>

#pragma GCC visibility push(default)
namespace evt {

// A row group for each batch, with the least and greatest value of each column, and a dictionary for columns of few
// distinct texts; pages are zstd frames. Equal rows in equal batches make equal bytes.
//
//   ParquetFile file(table);
//   file.begin(out);
//   while (const TableBatch* batch = rows.next()) file.add(out, *batch);
//   file.end(out);
//
// Appends the file to `out`, piece by piece. Memory grows with the number of row groups.
class ParquetFile {
 public:
  // The table must outlive it.
  explicit ParquetFile(const Table& table);

  void begin(TextBuffer& out);
  // REQUIRES: rows of the table, one at least.
  void add(TextBuffer& out, const TableBatch& rows);
  void end(TextBuffer& out);

 private:
  class Impl;
  Hidden<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
