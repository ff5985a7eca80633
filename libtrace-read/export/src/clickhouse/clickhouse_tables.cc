#include <evt/export/clickhouse_tables.h>
#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "libtrace-read/text/utf8.h"

namespace evt {
namespace {

// Number of blocks whose checksums a shard remembers, so that a repeated one is ignored.
constexpr int kRememberedBlocks = 10'000;
constexpr std::int64_t kDayNs = 86'400'000'000'000;
constexpr std::int64_t kSecondNs = 1'000'000'000;

// Between quotes of this kind, with other than harmless characters as their bytes.
std::string between_quotes(std::string_view text, char quote) {
  std::string quoted(1, quote);
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool is_plain = character.size != 0 && is_harmless(character.code);
    const std::string_view bytes = take_character(&text);
    if (is_plain && (bytes.front() == quote || bytes.front() == '\\')) quoted += '\\';
    for (const char c : bytes) {
      quoted += is_plain ? std::string(1, c) : fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    }
  }
  return quoted + quote;
}

std::string sql_text(std::string_view text) { return between_quotes(text, '\''); }
std::string sql_name(std::string_view name) { return between_quotes(name, '`'); }
// ClickHouse allows no empty one.
std::string named(const Column& column) { return !column.name.empty() ? column.name : "(empty)"; }
std::string named(const Table& table) { return !table.name.empty() ? table.name : "(empty)"; }

// A name in a path of ZooKeeper, where braces are macros, and no part is `.` or `..`.
std::string in_path(std::string_view name) {
  std::string path;
  for (const char c : name) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
                          (c == '.' && !path.empty());
    path += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return path.empty() ? "%" : path;
}

std::string_view scalar_type(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kBool:
      return "UInt8";
    case ColumnKind::kUnsigned:
      return "UInt64";
    case ColumnKind::kFloat:
      return "Float64";
    case ColumnKind::kText:
    case ColumnKind::kBytes:
      return "String";
    default:
      return "Int64";
  }
}

std::string sql_type(const Column& column) {
  std::string type(scalar_type(column.kind));
  if (column.may_be_null) type = fmt::format("Nullable({})", type);
  if (column.is_list) return fmt::format("Array({})", type);
  return column.is_dictionary ? fmt::format("LowCardinality({})", type) : type;
}

// Null: the table has none.
const Column* time_column_of(const Table& table) {
  const auto found =
      std::ranges::find_if(table.columns, [](const Column& column) { return column.kind == ColumnKind::kTime; });
  return found != table.columns.end() ? &*found : nullptr;
}

// A name that is not a column's.
std::string free_name(const Table& table, std::string name) {
  const auto is_taken = [&](const Column& column) { return column.name == name; };
  while (std::ranges::any_of(table.columns, is_taken)) name.insert(0, "time_");
  return name;
}

class Statements {
 public:
  Statements(TextBuffer* out, const ClickHousePlace& place) : out_(*out), place_(place) {
    if (!place.cluster.empty()) on_cluster_ = " ON CLUSTER " + sql_name(place.cluster);
  }

  void add_databases() {
    add_database(place_.database);
    if (!place_.cluster.empty()) add_database(rows_database());
  }

  void add_table(const Table& table) {
    add_table_of_rows(table);
    if (!place_.cluster.empty()) add_distributed(table);
    add_check(table);
  }

  void add_insert(const Table& table) {
    out_ += fmt::format("INSERT INTO {} (", path_of(place_.database, table));
    for (const Column& column : table.columns) {
      if (&column != &table.columns.front()) out_ += ", ";
      out_ += sql_name(named(column));
    }
    out_ += ") FORMAT RowBinary\n";
  }

 private:
  std::string rows_database() const { return place_.cluster.empty() ? place_.database : place_.database + "_local"; }
  static std::string path_of(std::string_view database, const Table& table) {
    return sql_name(database) + "." + sql_name(named(table));
  }

  void add_database(const std::string& name) {
    out_ += fmt::format("CREATE DATABASE IF NOT EXISTS {}{};\n", sql_name(name), on_cluster_);
  }

  void add_table_of_rows(const Table& table) {
    const std::string session = sql_name(named(table.columns.front()));
    const Column* const time_column = time_column_of(table);
    const std::string time = time_column != nullptr ? sql_name(named(*time_column)) : "";
    const std::string day = fmt::format("toDate(intDiv({}, {}))", time, kDayNs);
    out_ += fmt::format("\nCREATE TABLE IF NOT EXISTS {}{} (\n", path_of(rows_database(), table), on_cluster_);
    for (const Column& column : table.columns) {
      if (&column != &table.columns.front()) out_ += ",\n";
      out_ += fmt::format("  {} {}", sql_name(named(column)), sql_type(column));
    }
    if (time_column != nullptr) {
      out_ += fmt::format(",\n  {} Date ALIAS {}", sql_name(free_name(table, "day")), day);
      out_ += fmt::format(",\n  {} DateTime('UTC') ALIAS toDateTime(intDiv({}, {}), 'UTC')",
                          sql_name(free_name(table, "second")), time, kSecondNs);
    }
    out_ += fmt::format("\n) ENGINE = {}\n", engine_of(table));
    if (time_column != nullptr) out_ += fmt::format("PARTITION BY {} ", day);
    out_ += fmt::format("ORDER BY ({}{}{})", session, time_column != nullptr ? ", " : "", time);
    if (!place_.cluster.empty())
      out_ += fmt::format(" SETTINGS replicated_deduplication_window = {}", kRememberedBlocks);
    out_ += ";\n";
  }

  void add_distributed(const Table& table) {
    out_ += fmt::format("CREATE TABLE IF NOT EXISTS {}{} AS {}\nENGINE = Distributed({}, {}, {}, {});\n",
                        path_of(place_.database, table), on_cluster_, path_of(rows_database(), table),
                        sql_text(place_.cluster), sql_text(rows_database()), sql_text(named(table)),
                        sql_name(named(table.columns.front())));
  }

  std::string engine_of(const Table& table) const {
    if (place_.cluster.empty()) return "MergeTree()";
    const std::string path =
        fmt::format("/clickhouse/tables/{{shard}}/{}/{}", in_path(rows_database()), in_path(table.name));
    return fmt::format("ReplicatedMergeTree({}, '{{replica}}')", sql_text(path));
  }

  // RowBinary has no names and no types: rows would be misread by a table with other columns.
  void add_check(const Table& table) {
    out_ += fmt::format("SELECT toUInt8(if(count() = {}, '0', {})) FROM system.columns\n", table.columns.size(),
                        sql_text(fmt::format("table {} has other columns", named(table))));
    out_ += fmt::format("WHERE database = {} AND table = {} AND (", sql_text(place_.database), sql_text(named(table)));
    for (const Column& column : table.columns) {
      if (&column != &table.columns.front()) out_ += " OR";
      out_ += fmt::format("\n  name = {} AND type = {}", sql_text(named(column)), sql_text(sql_type(column)));
    }
    out_ += ") FORMAT Null;\n";
  }

  TextBuffer& out_;
  const ClickHousePlace& place_;
  std::string on_cluster_;
};

}  // namespace

void append_clickhouse_tables(TextBuffer& out, std::span<const Table* const> tables, const ClickHousePlace& place) {
  Statements statements(&out, place);
  statements.add_databases();
  for (const Table* const table : tables) statements.add_table(*table);
}

void append_clickhouse_insert(TextBuffer& out, const Table& table, const ClickHousePlace& place) {
  Statements(&out, place).add_insert(table);
}

}  // namespace evt
