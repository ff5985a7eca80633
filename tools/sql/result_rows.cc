#include "sql/result_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace evt::tools {
namespace {

using duckdb::Api;
using duckdb::Type;

// What append_value() reads; DuckDB makes text of all others.
bool is_read(Type type) { return (type >= duckdb::kBoolean && type <= duckdb::kDouble) || type == duckdb::kVarchar; }

bool is_nested(Type type) {
  return type == duckdb::kList || type == duckdb::kStruct || type == duckdb::kMap || type == duckdb::kArray;
}

SqlKind kind_of(Type type) {
  if (type == duckdb::kBoolean) return SqlKind::kTruth;
  if (type >= duckdb::kTinyint && type <= duckdb::kDouble) return SqlKind::kNumber;
  if (type == duckdb::kHugeint || type == duckdb::kUhugeint || type == duckdb::kDecimal) return SqlKind::kNumber;
  return is_nested(type) ? SqlKind::kJson : SqlKind::kText;
}

template <typename T>
T at(const void* data, duckdb::Index row) {
  return static_cast<const T*>(data)[row];
}

template <typename T>
void append_number(std::string* text, const void* data, duckdb::Index row) {
  fmt::format_to(std::back_inserter(*text), "{}", at<T>(data, row));
}

// REQUIRES: is_read(type).
void append_value(std::string* text, Type type, const void* data, duckdb::Index row) {
  switch (type) {
    case duckdb::kBoolean:
      *text += at<bool>(data, row) ? "true" : "false";
      return;
    case duckdb::kTinyint:
      return append_number<std::int8_t>(text, data, row);
    case duckdb::kSmallint:
      return append_number<std::int16_t>(text, data, row);
    case duckdb::kInteger:
      return append_number<std::int32_t>(text, data, row);
    case duckdb::kBigint:
      return append_number<std::int64_t>(text, data, row);
    case duckdb::kUtinyint:
      return append_number<std::uint8_t>(text, data, row);
    case duckdb::kUsmallint:
      return append_number<std::uint16_t>(text, data, row);
    case duckdb::kUinteger:
      return append_number<std::uint32_t>(text, data, row);
    case duckdb::kUbigint:
      return append_number<std::uint64_t>(text, data, row);
    case duckdb::kFloat:
      return append_number<float>(text, data, row);
    case duckdb::kDouble:
      return append_number<double>(text, data, row);
    default: {
      const auto& value = static_cast<const duckdb::Text*>(data)[row];
      text->append(value.data(), value.size);
    }
  }
}

// A statement that DuckDB has read, and not run yet.
class Prepared {
 public:
  Prepared(const Database& database, const std::string& text) : api_(database.api()) {
    is_ok_ = api_.prepare(database.connection(), text.c_str(), &statement_) == duckdb::kSuccess;
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;
  ~Prepared() { api_.destroy_prepare(&statement_); }

  Status status() const { return is_ok_ ? Status() : status_of(api_.prepare_error(statement_)); }
  bool is_query() const { return api_.prepared_statement_type(statement_) == duckdb::kSelect; }
  // Of the rows that it will have.
  std::vector<Type> types() const {
    std::vector<Type> types(api_.prepared_statement_column_count(statement_));
    for (std::size_t i = 0; i < types.size(); ++i) types[i] = api_.prepared_statement_column_type(statement_, i);
    return types;
  }
  std::string name(std::size_t column) const {
    char* const name = api_.prepared_statement_column_name(statement_, column);
    std::string copy = name != nullptr ? name : "";
    api_.free(name);
    return copy;
  }
  Result<duckdb::Result> run() const {
    duckdb::Pending pending = nullptr;
    duckdb::Result result = {};
    Status status;
    if (api_.pending_prepared_streaming(statement_, &pending) != duckdb::kSuccess) {
      status = status_of(api_.pending_error(pending));
    } else if (api_.execute_pending(pending, &result) != duckdb::kSuccess) {
      status = status_of(api_.result_error(&result));
      api_.destroy_result(&result);
    }
    api_.destroy_pending(&pending);
    return status.ok() ? Result(result) : status;
  }

 private:
  const Api& api_;
  duckdb::Statement statement_ = nullptr;
  bool is_ok_;
};

// The query, with text in place of all that is not read as it is; by their places, as names may come twice.
std::string with_texts(const std::string& query, const std::vector<Type>& types, bool as_json) {
  std::string text = "select ";
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (i > 0) text += ", ";
    std::string column = fmt::format("#{}", i + 1);
    if (as_json && is_nested(types[i])) column = fmt::format("to_json({})", column);
    text += is_read(types[i]) ? column : column + "::varchar";
  }
  return fmt::format("{} from (\n{}\n)", text, query);
}

}  // namespace

Result<bool> ResultRows::is_query(const Database& database, const std::string& statement) {
  const Prepared prepared(database, statement);
  const Status status = prepared.status();
  return status.ok() ? Result(prepared.is_query()) : status;
}

Result<ResultRows> ResultRows::of(const Database& database, const std::string& statement, bool as_json) {
  const Prepared asked(database, statement);
  if (Status status = asked.status(); !status.ok()) return status;
  std::vector<Type> types = asked.types();
  std::vector<SqlColumn> columns(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) columns[i] = {asked.name(i), kind_of(types[i])};

  std::optional<Prepared> in_texts;
  if (asked.is_query() && !std::ranges::all_of(types, is_read)) {
    in_texts.emplace(database, with_texts(statement, types, as_json));
    if (Status status = in_texts->status(); !status.ok()) return status;
    types = in_texts->types();
  }
  auto result = (in_texts ? *in_texts : asked).run();
  if (!result) return result.status();
  const bool has_rows = database.api().result_return_type(*result) == duckdb::kQueryResult;
  ResultRows rows(database.api(), *result, has_rows ? std::move(columns) : std::vector<SqlColumn>(), std::move(types));
  for (std::size_t i = 0; i < rows.columns_.size(); ++i) {
    if (is_read(rows.types_[i])) continue;
    return Status(Code::kInvalid,
                  fmt::format("the type of column {} can be shown only in a query", rows.columns_[i].name));
  }
  return rows;
}

ResultRows::ResultRows(const Api& api, duckdb::Result result, std::vector<SqlColumn> columns, std::vector<Type> types)
    : api_(&api), result_(result), columns_(std::move(columns)), types_(std::move(types)), cells_(columns_.size()) {}

ResultRows::ResultRows(ResultRows&& other) noexcept
    : api_(other.api_),
      result_(other.result_),
      is_owner_(std::exchange(other.is_owner_, false)),
      chunk_(std::exchange(other.chunk_, nullptr)),
      rows_(other.rows_),
      at_(other.at_),
      columns_(std::move(other.columns_)),
      types_(std::move(other.types_)),
      cells_(std::move(other.cells_)),
      status_(std::move(other.status_)) {}

ResultRows::~ResultRows() {
  if (chunk_ != nullptr) api_->destroy_data_chunk(&chunk_);
  if (is_owner_) api_->destroy_result(&result_);
}

bool ResultRows::next_chunk() {
  if (chunk_ != nullptr) api_->destroy_data_chunk(&chunk_);
  chunk_ = api_->fetch_chunk(result_);
  at_ = 0;
  rows_ = chunk_ != nullptr ? api_->data_chunk_get_size(chunk_) : 0;
  if (chunk_ == nullptr) {
    const char* const error = api_->result_error(&result_);
    if (error != nullptr && *error != '\0') status_ = status_of(error);
  }
  return rows_ > 0;
}

const std::vector<SqlCell>* ResultRows::next() {
  if (at_ == rows_ && (columns_.empty() || !status_.ok() || !next_chunk())) return nullptr;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const duckdb::Vector vector = api_->data_chunk_get_vector(chunk_, i);
    const std::uint64_t* const valid = api_->vector_get_validity(vector);
    SqlCell& cell = cells_[i];
    cell.is_null = valid != nullptr && (valid[at_ / 64] >> at_ % 64 & 1) == 0;
    cell.text.clear();
    if (!cell.is_null) append_value(&cell.text, types_[i], api_->vector_get_data(vector), at_);
  }
  ++at_;
  return &cells_;
}

}  // namespace evt::tools
