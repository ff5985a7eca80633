#include "sql/trace_relations.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "libtrace-read/text/letter_case.h"
#include "libtrace-read/text/text_syntax.h"
#include "sql/result_rows.h"
#include "sql/table_function.h"
#include "sql/vector_writer.h"

namespace evt::tools {
namespace {

using Relation = TraceRelations::Relation;

constexpr const char* kStart = "start";
constexpr const char* kStop = "stop";
constexpr const char* kMoments[] = {kStart, kStop};

// Names of C have no 0 in them.
std::string harmless(const std::string& name) {
  return text_from([&](TextBuffer& out) { append_harmless(out, name); });
}

// What a call of a function asks for.
struct Asked {
  std::optional<TimeSpec> start;
  std::optional<TimeSpec> stop;

  TimeRange within(TimeRange range, const Session& session) const {
    if (start) range.from_ns = std::max(range.from_ns, start->in(session));
    if (stop) range.to_ns = std::min(range.to_ns, stop->in(session));
    return range;
  }
};

// What all tables of events begin with, and behind it which of them a row is of.
evt::Table events_table() {
  const auto column = [](const char* name, ColumnKind kind, const char* unit, const char* description) {
    return Column{name, kind, false, false, unit, description};
  };
  return {
      "events",
      "Events of all types, without their fields.",
      {column("session", ColumnKind::kUnsigned, "", "number of the session: the first 8 bytes of its uuid"),
       column("time", ColumnKind::kTime, "", "when the event was recorded"),
       column("ns", ColumnKind::kSigned, "ns", "the same, since the session's start"),
       column("stream", ColumnKind::kUnsigned, "", "id of the stream"),
       column("stream_thread", ColumnKind::kUnsigned, "", "the operating system's number of the thread of the stream"),
       column("type", ColumnKind::kText, "", "name of the type's table")}};
}

// One reading of a table.
class Scan {
 public:
  Scan(const Relation& relation, const Asked& asked, std::vector<std::size_t> columns)
      : relation_(relation), columns_(std::move(columns)) {
    const std::lock_guard lock(of().reading());
    Tables::Options options;
    options.range = [asked, range = of().range()](const Session& session) {
      return asked.within(range ? range(session) : TimeRange{}, session);
    };
    options.column = [this](const evt::Table& table, const Column& column) {
      const auto place = static_cast<std::size_t>(&column - table.columns.data());
      return std::ranges::find(columns_, place) != columns_.end();
    };
    rows_.emplace(of().tables().read(relation.read, options));
  }
  Scan(const Scan&) = delete;
  Scan& operator=(const Scan&) = delete;
  ~Scan() {
    const std::lock_guard lock(of().reading());
    rows_.reset();
  }

  // The rows that follow; none at the end.
  Status write(duckdb::DataChunk chunk) {
    if (batch_ == nullptr || at_ == batch_->rows()) next_batch();
    const std::size_t rows =
        batch_ != nullptr ? std::min<std::size_t>(calling->vector_size(), batch_->rows() - at_) : 0;
    for (std::size_t i = 0; i < columns_.size() && rows > 0; ++i) {
      write_column(columns_[i], rows, calling->data_chunk_get_vector(chunk, i));
    }
    calling->data_chunk_set_size(chunk, rows);
    at_ += rows;
    const Code code = rows == 0 ? rows_->status().code() : Code::kOk;
    // Of a trace that is truncated or damaged these are all its rows; evt reports it at the end.
    return code == Code::kIo || code == Code::kMemory ? rows_->status() : Status();
  }

 private:
  const TraceRelations& of() const { return *relation_.of; }
  void write_column(std::size_t column, std::size_t rows, duckdb::Vector to) const {
    const auto& columns = relation_.table->columns;
    if (column >= columns.size()) return;  // the row's number, of which nothing is read
    if (relation_.names_tables && column + 1 == columns.size()) {
      return write_same(*calling, of().name_of(*batch_->table), rows, to);
    }
    write_rows(*calling, columns[column], batch_->columns[column], at_, rows, to);
  }
  void next_batch() {
    const std::lock_guard lock(of().reading());
    at_ = 0;
    do {
      batch_ = rows_->next();
    } while (batch_ != nullptr && batch_->rows() == 0);
  }

  const Relation& relation_;
  std::vector<std::size_t> columns_;  // of the table, those that are asked for
  std::optional<Tables::Rows> rows_;
  TableBatch* batch_ = nullptr;
  std::size_t at_ = 0;  // in the batch
};

void bind(duckdb::BindInfo info) {
  const auto bind_it = [&]() -> Status {
    const auto& relation = *static_cast<const Relation*>(calling->bind_get_extra_info(info));
    const auto start = moment(info, kStart);
    if (!start) return start.status();
    const auto stop = moment(info, kStop);
    if (!stop) return stop.status();
    for (std::size_t i = 0; i < relation.columns.size(); ++i) {
      duckdb::LogicalType type = logical_type_of(*calling, relation.table->columns[i]);
      calling->bind_add_result_column(info, relation.columns[i].c_str(), type);
      calling->destroy_logical_type(&type);
    }
    calling->bind_set_bind_data(info, new Asked{*start, *stop}, &release<Asked>);
    return {};
  };
  guarded(bind_it, [&](const char* why) { calling->bind_set_error(info, why); });
}

void init(duckdb::InitInfo info) {
  const auto init_it = [&]() -> Status {
    const auto& relation = *static_cast<const Relation*>(calling->init_get_extra_info(info));
    std::vector<std::size_t> columns(calling->init_get_column_count(info));
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = calling->init_get_column_index(info, i);
    const auto& asked = *static_cast<const Asked*>(calling->init_get_bind_data(info));
    calling->init_set_init_data(info, new Scan(relation, asked, std::move(columns)), &release<Scan>);
    return {};
  };
  guarded(init_it, [&](const char* why) { calling->init_set_error(info, why); });
}

void write_chunk(duckdb::FunctionInfo info, duckdb::DataChunk chunk) {
  auto& scan = *static_cast<Scan*>(calling->function_get_init_data(info));
  guarded([&] { return scan.write(chunk); }, [&](const char* why) { calling->function_set_error(info, why); });
}

}  // namespace

std::string SqlNames::unique(const std::string& name, const char* front) {
  const std::string given = harmless(name);
  std::string unique = given;
  for (int n = 1; !taken_.insert(in_lower_case(unique)).second; ++n) {
    unique = n == 1 && *front != '\0' ? front + given : fmt::format("{}_{}", given, std::max(n, 2));
  }
  return unique;
}

TraceRelations::TraceRelations(const Tables& tables, std::function<TimeRange(const Session&)> range)
    : tables_(tables), range_(std::move(range)), events_(events_table()) {}

Status TraceRelations::add_to(Database& database) {
  calling = &database.api();
  if (Status status = reserve_functions(database); !status.ok()) return status;
  // Each statement of its own would be a transaction.
  Status status = database.run("begin");
  const auto of_events = tables_.of_events();
  const auto of_all = std::span(tables_.all()).first(tables_.all().size() - of_events.size());
  for (const evt::Table& table : of_all) {
    if (status.ok()) status = add(database, table, {&table});
  }
  std::vector<const evt::Table*> all_events;
  for (const evt::Table& table : of_events) all_events.push_back(&table);
  if (status.ok()) status = add(database, events_, std::move(all_events));
  for (const evt::Table& table : of_events) {
    if (status.ok()) status = add(database, table, {&table});
    names_of_events_[&table] = relations_.back().name;
  }
  return status.ok() ? database.run("commit") : status;
}

Status TraceRelations::add(Database& database, const evt::Table& table, std::vector<const evt::Table*> read) {
  Relation& relation = relations_.emplace_back(
      Relation{names_.unique(table.name, "event."), &table, std::move(read), &table == &events_, {}, this});
  SqlNames columns;
  for (const Column& column : table.columns) relation.columns.push_back(columns.unique(column.name));
  const std::string function = functions_.unique(relation.name, "event.");
  const Status added = add_function(database, {function, kMoments, &relation, true, &bind, &init, &write_chunk});
  if (!added.ok()) return added;
  return database.run(fmt::format("create view {} as from {}()", quoted_name(relation.name), quoted_name(function)));
}

Status TraceRelations::reserve_functions(const Database& database) {
  auto rows = ResultRows::of(
      database, "select function_name from duckdb_functions() where function_type in ('table', 'table_macro')", false);
  if (!rows) return rows.status();
  while (const auto* const row = rows->next()) functions_.unique(row->front().text);
  if (!rows->status().ok()) return rows->status();
  // A view of an event type would be found in front of DuckDB's own, which statements such as SHOW TABLES read.
  auto views = ResultRows::of(database, "select view_name from duckdb_views()", false);
  if (!views) return views.status();
  while (const auto* const row = views->next()) names_.unique(row->front().text);
  return views->status();
}

const Relation* TraceRelations::find(std::string_view name) const {
  const std::string wanted = in_lower_case(name);
  const auto found = std::ranges::find_if(
      relations_, [&](const Relation& relation) { return in_lower_case(relation.name) == wanted; });
  return found != relations_.end() ? &*found : nullptr;
}

}  // namespace evt::tools
