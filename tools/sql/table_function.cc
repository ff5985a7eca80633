#include "sql/table_function.h"

#include <fmt/core.h>

namespace evt::tools {

std::optional<std::string> argument(duckdb::BindInfo info, const char* name) {
  duckdb::Value value = calling->bind_get_named_parameter(info, name);
  if (value == nullptr) return {};
  // It has no text, and DuckDB does not return from being asked for one.
  const bool is_null = calling->is_null_value(value);
  char* const bytes = is_null ? nullptr : calling->get_varchar(value);
  std::optional<std::string> text;
  if (!is_null) text = bytes != nullptr ? bytes : "";
  calling->free(bytes);
  calling->destroy_value(&value);
  return text;
}

Result<std::optional<TimeSpec>> moment(duckdb::BindInfo info, const char* name) {
  const std::optional<std::string> text = argument(info, name);
  if (!text) return std::optional<TimeSpec>();
  const auto parsed = TimeSpec::parse(*text);
  if (parsed) return parsed;
  return Status(Code::kInvalid,
                fmt::format("{}: expected a time like 1.5, 200ms, -2s or 2026-11-21T22:48:09Z, found {}", name, *text));
}

Status add_function(const Database& database, const TableFunction& function) {
  const duckdb::Api& api = database.api();
  duckdb::TableFunction made = api.create_table_function();
  api.table_function_set_name(made, function.name.c_str());
  duckdb::LogicalType text = api.create_logical_type(duckdb::kVarchar);
  for (const char* const parameter : function.parameters) {
    api.table_function_add_named_parameter(made, parameter, text);
  }
  api.destroy_logical_type(&text);
  api.table_function_set_extra_info(made, function.extra, nullptr);
  api.table_function_set_bind(made, function.bind);
  api.table_function_set_init(made, function.init);
  api.table_function_set_function(made, function.write);
  api.table_function_supports_projection_pushdown(made, function.reads_columns);
  const bool is_added = api.register_table_function(database.connection(), made) == duckdb::kSuccess;
  api.destroy_table_function(&made);
  if (is_added) return {};
  return {Code::kIo, fmt::format("DuckDB takes no function of the name {}", function.name)};
}

}  // namespace evt::tools
