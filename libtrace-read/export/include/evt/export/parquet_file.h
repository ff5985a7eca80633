// Rows of a table as a file of Apache Parquet (format 2.10).
#pragma once

#include <evt/export/table.h>
#include <evt/opaque.h>
#include <evt/text/text_buffer.h>

#include <memory>

#pragma GCC visibility push(default)
namespace evt {

// A row group for each batch, of which each column has its least and greatest value, and its texts of few as a
// dictionary; pages are zstd frames. The same rows, in the same batches, are the same bytes.
//
//   ParquetFile file(table);
//   file.begin(out);
//   while (const TableBatch* batch = rows.next()) file.add(out, *batch);
//   file.end(out);
//
// What is appended to `out` is the file, piece by piece. Memory grows with the number of row groups.
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
