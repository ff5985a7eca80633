#include "sql/statement_output.h"

#include <fmt/core.h>

#include <string_view>

namespace evt::tools {

Status StatementOutput::run(const std::string& statement) {
  auto rows = ResultRows::of(database_, statement, form_ == SqlForm::kJson);
  if (!rows) return rows.status();
  if (rows->columns().empty()) return {};
  if (has_one_result_ && has_result_) {
    return {Code::kInvalid, "expected one query, whose rows a file of JSON has, found two"};
  }
  has_result_ = true;
  writer_->begin(out_.text(), rows->columns());
  while (const auto* const row = rows->next()) {
    writer_->append(out_.text(), *row);
    if (!out_.drain()) return out_.status();
  }
  writer_->end(out_.text());
  return rows->status();
}

Status StatementOutput::append(const std::vector<SqlColumn>& columns, const std::vector<std::vector<SqlCell>>& rows) {
  writer_->begin(out_.text(), columns);
  for (const auto& row : rows) writer_->append(out_.text(), row);
  writer_->end(out_.text());
  return {};
}

Status StatementOutput::append_text(std::string_view text) {
  out_.text() += text;
  return {};
}

Status write_parquet(Database& database, const std::string& query, const std::string& path, const OutputMode& mode) {
  const auto is_query = ResultRows::is_query(database, query);
  if (!is_query) return is_query.status();
  if (!*is_query) return {Code::kInvalid, "expected a query, whose rows a file of Parquet is made of"};
  auto file = FileOutput::open(path, mode);
  if (!file) return file.status();
  // The file has no name of its own yet.
  const std::string to = fmt::format("/proc/self/fd/{}", file->descriptor());
  const Status copied = database.run(
      fmt::format("copy (\n{}\n) to '{}' (format parquet, compression zstd, use_tmp_file false)", query, to));
  return copied.ok() ? file->complete() : copied;
}

}  // namespace evt::tools
