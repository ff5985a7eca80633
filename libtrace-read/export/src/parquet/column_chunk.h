// The values of one column in a row group.
#pragma once

#include <evt/export/table.h>

#include <optional>
#include <string>

namespace evt {

// Numbers of Parquet's enumerations (parquet.thrift).
enum ParquetType : int { kParquetBoolean = 0, kParquetInt64 = 2, kParquetDouble = 5, kParquetByteArray = 6 };
enum ParquetEncoding : int { kParquetPlain = 0, kParquetRle = 3, kParquetDelta = 5, kParquetRleDictionary = 8 };

int parquet_type(ColumnKind kind);

struct ColumnChunk {
  std::string dictionary;  // its page, before it is compressed; empty without one
  std::size_t dictionary_values = 0;
  std::string data;        // the page of values, with their levels
  std::size_t values = 0;  // nulls too
  int encoding = kParquetPlain;
  std::size_t nulls = 0;
  std::optional<std::string> least;  // in the plain encoding; for numbers and texts
  std::optional<std::string> greatest;
};

ColumnChunk column_chunk(const Column& column, const ColumnValues& values);

}  // namespace evt
