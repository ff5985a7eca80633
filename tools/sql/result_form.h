// The rows of queries as text: in columns for people, as JSON, as CSV. Rows are appended as they come.
#pragma once

#include <evt/export/text_buffer.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "sql/result_rows.h"
#include "table_look.h"

namespace evt::tools {

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

}  // namespace evt::tools
