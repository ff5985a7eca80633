// What a query answers, row by row.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sql/database.h"

namespace evt::tools {

enum class SqlKind : std::uint8_t {
  kNumber,
  kTruth,
  kText,
  kJson,  // lists and structures: as JSON has them, or as DuckDB writes them
};

struct SqlColumn {
  std::string name;
  SqlKind kind = SqlKind::kText;
};

// `text` is the value: of numbers and truth values as programs write them.
struct SqlCell {
  bool is_null = true;
  std::string text;
};

// The rows of one statement, which runs while they are read. Refers to the database; of that one at a time.
class ResultRows {
 public:
  // Errors as Database has them. `as_json`: lists and structures become JSON.
  static Result<ResultRows> of(const Database& database, const std::string& statement, bool as_json);
  // Whether the statement is a query, and so can be a part of another.
  static Result<bool> is_query(const Database& database, const std::string& statement);
  ResultRows(ResultRows&& other) noexcept;
  ResultRows& operator=(ResultRows&&) = delete;
  ~ResultRows();

  // None: the statement has no rows, as `create table` has none.
  const std::vector<SqlColumn>& columns() const { return columns_; }
  // The next; null at the end, and after an error, which status() then has. Holds until the next call.
  const std::vector<SqlCell>* next();
  const Status& status() const { return status_; }

 private:
  ResultRows(const duckdb::Api& api, duckdb::Result result, std::vector<SqlColumn> columns,
             std::vector<duckdb::Type> types);
  bool next_chunk();

  const duckdb::Api* api_;
  duckdb::Result result_;
  bool is_owner_ = true;  // of the result
  duckdb::DataChunk chunk_ = nullptr;
  duckdb::Index rows_ = 0;  // of the chunk
  duckdb::Index at_ = 0;    // in it
  std::vector<SqlColumn> columns_;
  std::vector<duckdb::Type> types_;  // as they are read
  std::vector<SqlCell> cells_;
  Status status_;
};

}  // namespace evt::tools
