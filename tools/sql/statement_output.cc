#include "sql/statement_output.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "libtrace-read/text/csv_cell.h"
#include "libtrace-read/text/plain_value.h"
#include "libtrace-read/text/text_syntax.h"
#include "libtrace-read/text/utf8.h"

namespace evt::tools {
namespace {

std::string harmless_text(std::string_view text) {
  return text_from([&](TextBuffer& out) { append_harmless(out, text); });
}

// Columns are as wide as their widest cell so far: all rows are in their places if there are no more than kTogether.
class ForPeople : public ResultForm {
 public:
  explicit ForPeople(const TableLook& look) : look_(look) {}

  void begin(TextBuffer& out, const std::vector<SqlColumn>& columns) override {
    if (rows_) out += '\n';
    std::vector<std::string> head;
    std::vector<bool> right;
    for (const SqlColumn& column : columns) {
      head.push_back(harmless_text(column.name));
      right.push_back(column.kind == SqlKind::kNumber);
    }
    rows_.emplace(std::move(head), std::move(right));
  }

  void append(TextBuffer& out, const std::vector<SqlCell>& row) override {
    std::vector<std::string> texts;
    texts.reserve(row.size());
    for (const SqlCell& cell : row) texts.push_back(cell.is_null ? "-" : harmless_text(cell.text));
    rows_->add(std::move(texts));
    if (rows_->rows() > kTogether) rows_->append_to(out, look_);
  }

  void end(TextBuffer& out) override { rows_->append_to(out, look_); }

 private:
  static constexpr std::size_t kTogether = 10000;

  TableLook look_;
  std::optional<AlignedRows> rows_;  // of the result at hand
};

class AsCsv : public ResultForm {
 public:
  void begin(TextBuffer& out, const std::vector<SqlColumn>& columns) override {
    if (any_) out += "\r\n";
    any_ = true;
    columns_ = columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) out += ',';
      append_csv_cell(out, columns[i].name);
    }
    out += "\r\n";
  }

  void append(TextBuffer& out, const std::vector<SqlCell>& row) override {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += ',';
      if (row[i].is_null) continue;
      if (columns_[i].kind == SqlKind::kNumber) {
        out += row[i].text;  // a minus is no formula
      } else {
        append_csv_cell(out, row[i].text);
      }
    }
    out += "\r\n";
  }

  void end(TextBuffer&) override {}

 private:
  bool any_ = false;                // result
  std::vector<SqlColumn> columns_;  // of the result at hand
};

// JSON as DuckDB writes it. Its texts may have characters that a terminal obeys, and its numbers be none of JSON's,
// which are texts as those of other columns are.
void append_foreign_json(TextBuffer& out, std::string_view json) {
  constexpr std::pair<std::string_view, std::string_view> kNoNumbers[] = {
      {"NaN", "\"nan\""}, {"-Infinity", "\"-inf\""}, {"Infinity", "\"inf\""}};
  bool is_in_text = false;
  while (!json.empty()) {
    const auto found =
        std::ranges::find_if(kNoNumbers, [&](const auto& each) { return !is_in_text && json.starts_with(each.first); });
    if (found != std::end(kNoNumbers)) {
      out += found->second;
      json.remove_prefix(found->first.size());
      continue;
    }
    if (is_in_text && json.starts_with('\\') && json.size() > 1) {
      out += json.substr(0, 2);
      json.remove_prefix(2);
      continue;
    }
    if (json.front() == '"') is_in_text = !is_in_text;
    const Character character = first_character(json);
    const std::string_view bytes = take_character(&json);
    if (character.size != 0 && !is_harmless(character.code)) {
      const std::string quoted = text_from([&](TextBuffer& text) { append_json_text(text, bytes); });
      out += std::string_view(quoted).substr(1, quoted.size() - 2);
    } else {
      out += bytes;
    }
  }
}

// An array of objects, one a line.
class AsJson : public ResultForm {
 public:
  void begin(TextBuffer& out, const std::vector<SqlColumn>& columns) override {
    out += '[';
    is_first_ = true;
    columns_ = columns;
    keys_.clear();
    // An object has each name once.
    std::set<std::string> taken;
    for (const SqlColumn& column : columns) {
      std::string name = column.name;
      for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}_{}", column.name, n);
      keys_.push_back(text_from([&](TextBuffer& text) {
        append_json_text(text, name);
        text += ':';
      }));
    }
  }

  void append(TextBuffer& out, const std::vector<SqlCell>& row) override {
    out += is_first_ ? "{" : ",\n{";
    is_first_ = false;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) out += ',';
      out += keys_[i];
      append_value(out, columns_[i].kind, row[i]);
    }
    out += '}';
  }

  void end(TextBuffer& out) override { out += "]\n"; }

 private:
  static void append_value(TextBuffer& out, SqlKind kind, const SqlCell& cell) {
    if (cell.is_null) {
      out += "null";
    } else if (kind == SqlKind::kText) {
      append_json_text(out, cell.text);
    } else if (kind == SqlKind::kJson) {
      append_foreign_json(out, cell.text);
    } else if (const char last = cell.text.back(); last == 'n' || last == 'f') {  // nan, inf
      append_json_text(out, cell.text);
    } else {
      out += cell.text;
    }
  }

  bool is_first_ = true;
  std::vector<SqlColumn> columns_;
  std::vector<std::string> keys_;
};

}  // namespace

Status StatementOutput::run(const std::string& statement) {
  auto rows = ResultRows::of(database_, statement, form_ == SqlForm::kJson);
  if (!rows) return rows.status();
  if (rows->columns().empty()) return {};
  if (has_one_result_ && has_result_) {
    return {Code::kInvalid, "a JSON file holds the rows of one query, found two"};
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
  if (!*is_query) return {Code::kInvalid, "a Parquet file needs a query, found another statement"};
  auto file = FileOutput::open(path, mode);
  if (!file) return file.status();
  // The file has no name of its own yet.
  const std::string to = fmt::format("/proc/self/fd/{}", file->descriptor());
  const Status copied = database.run(
      fmt::format("copy (\n{}\n) to '{}' (format parquet, compression zstd, use_tmp_file false)", query, to));
  return copied.ok() ? file->complete() : copied;
}

std::unique_ptr<ResultForm> ResultForm::of(SqlForm form, const TableLook& look) {
  switch (form) {
    case SqlForm::kJson:
      return std::make_unique<AsJson>();
    case SqlForm::kCsv:
      return std::make_unique<AsCsv>();
    case SqlForm::kPeople:
      break;
  }
  return std::make_unique<ForPeople>(look);
}

}  // namespace evt::tools
