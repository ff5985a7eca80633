// Statements, and where the rows that they have go.
#pragma once

#include <evt/status.h>
#include <evt/text/text_buffer.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/aligned_rows.h"
#include "base/output.h"
#include "sql/database.h"
#include "sql/result_rows.h"

namespace evt::tools {

// The rows of queries as text: in columns for people, as JSON, as CSV. Rows are appended as they come.
enum class SqlForm : std::uint8_t { kPeople, kJson, kCsv };

// A result after another: each begins, has rows, and ends. Texts of traces are escaped as in all other output.
class ResultForm {
 public:
  // `look`: of columns for people.
  static std::unique_ptr<ResultForm> of(SqlForm form, const TableLook& look);
  virtual ~ResultForm() = default;

  virtual void begin(TextBuffer& out, const std::vector<SqlColumn>& columns) = 0;
  virtual void append(TextBuffer& out, const std::vector<SqlCell>& row) = 0;
  virtual void end(TextBuffer& out) = 0;
};

// Refers to the database and the output.
class StatementOutput {
 public:
  // `is_file`: the output is a file, which has the rows of one query if its form is JSON: two arrays are none.
  StatementOutput(Database& database, SqlForm form, bool is_file, const TableLook& look, TextOutput& out)
      : database_(database),
        form_(form),
        has_one_result_(is_file && form == SqlForm::kJson),
        writer_(ResultForm::of(form, look)),
        out_(out) {}

  // Runs one statement and appends its rows as they come. Errors as Database has them; kIo when the output fails.
  Status run(const std::string& statement);
  // Rows that are no statement's; a text that is none.
  Status append(const std::vector<SqlColumn>& columns, const std::vector<std::vector<SqlCell>>& rows);
  Status append_text(std::string_view text);
  // What was appended, but for what an error interrupts.
  Status flush() { return out_.flush() ? Status() : out_.status(); }
  Database& database() { return database_; }

 private:
  Database& database_;
  SqlForm form_;
  bool has_one_result_;
  bool has_result_ = false;
  std::unique_ptr<ResultForm> writer_;
  TextOutput& out_;
};

// The rows of one query as a file of Parquet, which DuckDB writes.
Status write_parquet(Database& database, const std::string& query, const std::string& path, const OutputMode& mode);

}  // namespace evt::tools
