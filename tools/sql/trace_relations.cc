#include "sql/trace_relations.h"

#include <evt/export/table.h>
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "base/time_spec.h"
#include "libtrace-read/text/letter_case.h"
#include "libtrace-read/text/text_syntax.h"
#include "sql/duckdb_api.h"
#include "sql/result_rows.h"

namespace evt::tools {
namespace {

using duckdb::Api;
using duckdb::Vector;

static_assert(std::endian::native == std::endian::little, "bits of rows are bytes, and words of DuckDB");

// By ColumnKind.
constexpr duckdb::Type kTypesOfColumns[] = {duckdb::kBoolean,     duckdb::kBigint,  duckdb::kUbigint, duckdb::kDouble,
                                            duckdb::kTimestampNs, duckdb::kVarchar, duckdb::kBlob};

void set_null(std::uint64_t* valid, std::size_t row) { valid[row / 64] &= ~(std::uint64_t{1} << row % 64); }

// From any row on.
void write_nulls(const Api& api, const ColumnValues& values, std::size_t from, std::size_t rows, Vector to) {
  if (values.nulls() == 0) return;
  api.vector_ensure_validity_writable(to);
  std::uint64_t* const valid = api.vector_get_validity(to);
  if (from % 8 == 0) {
    std::memcpy(valid, values.valid().data() + from / 8, (rows + 7) / 8);
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    if (values.is_null(from + i)) set_null(valid, i);
  }
}

void write_text(const Api& api, Vector to, duckdb::Text* texts, std::size_t row, std::string_view text) {
  if (text.size() > duckdb::Text::kMostInside) {
    return api.vector_assign_string_element_len(to, row, text.data(), text.size());
  }
  duckdb::Text& out = texts[row];
  out = {};
  out.size = static_cast<std::uint32_t>(text.size());
  if (!text.empty()) std::memcpy(out.inside, text.data(), text.size());
}

void write_texts(const Api& api, const ColumnValues& values, std::size_t from, std::size_t rows, Vector to) {
  auto* const texts = static_cast<duckdb::Text*>(api.vector_get_data(to));
  for (std::size_t i = 0; i < rows; ++i) {
    write_text(api, to, texts, i, values.is_null(from + i) ? std::string_view() : values.text(from + i));
  }
}

// The vector has values; each row becomes the one at its place.
template <typename Place>
void slice(const Api& api, std::size_t rows, Place place_of, Vector to) {
  const duckdb::Selection places = api.create_selection_vector(rows);
  std::uint32_t* const place = api.selection_vector_get_data_ptr(places);
  for (std::size_t i = 0; i < rows; ++i) place[i] = static_cast<std::uint32_t>(place_of(i));
  api.slice_vector(to, places, rows);
  api.destroy_selection_vector(places);
}

// Texts once, and of each row the place of its text: DuckDB groups and compares places then. Behind the texts is null.
void write_dictionary(const Api& api, const ColumnValues& values, std::size_t from, std::size_t rows, Vector to) {
  const std::size_t null_at = values.dictionary().size();
  write_texts(api, values.dictionary(), 0, null_at, to);
  if (values.nulls() > 0) {
    api.vector_ensure_validity_writable(to);
    set_null(api.vector_get_validity(to), null_at);
  }
  slice(
      api, rows, [&](std::size_t i) { return values.is_null(from + i) ? null_at : values.number(from + i); }, to);
}

void write_plain(const Api& api, const Column& column, const ColumnValues& values, std::size_t from, std::size_t rows,
                 Vector to) {
  write_nulls(api, values, from, rows, to);
  if (column.kind == ColumnKind::kText || column.kind == ColumnKind::kBytes) {
    return write_texts(api, values, from, rows, to);
  }
  void* const data = api.vector_get_data(to);
  if (column.kind != ColumnKind::kBool) {
    if (rows > 0) std::memcpy(data, values.numbers().data() + from, rows * sizeof(std::uint64_t));
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) static_cast<std::uint8_t*>(data)[i] = values.number(from + i) != 0 ? 1 : 0;
}

void write_lists(const Api& api, const Column& column, const ColumnValues& values, std::size_t from, std::size_t rows,
                 Vector to) {
  write_nulls(api, values, from, rows, to);
  const auto ends = values.ends().subspan(from, rows + 1);
  const std::int32_t first = ends.front();
  const auto elements = static_cast<std::size_t>(ends.back() - first);
  auto* const entries = static_cast<duckdb::ListEntry*>(api.vector_get_data(to));
  for (std::size_t i = 0; i < rows; ++i) {
    entries[i] = {static_cast<std::uint64_t>(ends[i] - first), static_cast<std::uint64_t>(ends[i + 1] - ends[i])};
  }
  api.list_vector_reserve(to, elements);
  api.list_vector_set_size(to, elements);
  write_plain(api, column, values.elements(), static_cast<std::size_t>(first), elements, api.list_vector_get_child(to));
}

// The caller destroys it.
duckdb::LogicalType logical_type_of(const Api& api, const Column& column) {
  duckdb::LogicalType type = api.create_logical_type(kTypesOfColumns[static_cast<std::size_t>(column.kind)]);
  if (!column.is_list) return type;
  const duckdb::LogicalType list = api.create_list_type(type);
  api.destroy_logical_type(&type);
  return list;
}

// Writes rows `from` to `from + rows` into the vector. REQUIRES: `from` is a multiple of 8; the vector is of that type,
// and has room for the rows.
void write_rows(const Api& api, const Column& column, const ColumnValues& values, std::size_t from, std::size_t rows,
                Vector to) {
  if (column.is_list) return write_lists(api, column, values, from, rows, to);
  // Worth it where few texts differ; and they are to have room.
  const bool are_few = column.is_dictionary && values.dictionary().size() < rows / 2;
  if (are_few && values.dictionary().size() < api.vector_size()) {
    return write_dictionary(api, values, from, rows, to);
  }
  write_plain(api, column, values, from, rows, to);
}

// The same text in each row.
void write_same(const Api& api, std::string_view text, std::size_t rows, Vector to) {
  write_text(api, to, static_cast<duckdb::Text*>(api.vector_get_data(to)), 0, text);
  slice(
      api, rows, [](std::size_t) { return 0; }, to);
}

using duckdb::Api;
using Relation = TraceRelations::Relation;

constexpr const char* kStart = "start";
constexpr const char* kStop = "stop";
constexpr const char* kNoMemory = "there is not enough memory";

// Of the library whose functions call what is here: what they hand over is read by its functions alone.
const Api* calling = nullptr;

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

// No exception goes through DuckDB.
template <typename Call, typename SetError>
void guarded(Call call, SetError set_error) {
  Status status;
  try {
    status = call();
  } catch (const std::bad_alloc&) {
    return set_error(kNoMemory);
  }
  if (!status.ok()) set_error(status.message().c_str());
}

// A moment; nothing if it is not asked for.
Result<std::optional<TimeSpec>> moment(duckdb::BindInfo info, const char* name) {
  duckdb::Value value = calling->bind_get_named_parameter(info, name);
  if (value == nullptr) return std::optional<TimeSpec>();
  // It has no text, and DuckDB does not return from being asked for one.
  if (calling->is_null_value(value)) {
    calling->destroy_value(&value);
    return std::optional<TimeSpec>();
  }
  char* const bytes = calling->get_varchar(value);
  const std::string text = bytes != nullptr ? bytes : "";
  calling->free(bytes);
  calling->destroy_value(&value);
  const auto parsed = TimeSpec::parse(text);
  if (parsed) return parsed;
  return Status(Code::kInvalid,
                fmt::format("{}: expected a time like 1.5, 200ms, -2s or 2026-11-21T22:48:09Z, found {}", name, text));
}

template <typename T>
void release(void* object) {
  delete static_cast<T*>(object);
}

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

bool add_function(Database& database, const std::string& name, const Relation& relation) {
  const Api& api = database.api();
  duckdb::TableFunction function = api.create_table_function();
  api.table_function_set_name(function, name.c_str());
  duckdb::LogicalType text = api.create_logical_type(duckdb::kVarchar);
  for (const char* moment : {kStart, kStop}) api.table_function_add_named_parameter(function, moment, text);
  api.destroy_logical_type(&text);
  api.table_function_set_extra_info(function, const_cast<Relation*>(&relation), nullptr);
  api.table_function_set_bind(function, &bind);
  api.table_function_set_init(function, &init);
  api.table_function_set_function(function, &write_chunk);
  api.table_function_supports_projection_pushdown(function, true);
  const bool is_added = api.register_table_function(database.connection(), function) == duckdb::kSuccess;
  api.destroy_table_function(&function);
  return is_added;
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
  if (!add_function(database, function, relation)) {
    return {Code::kIo, fmt::format("DuckDB takes no function of the name {}", function)};
  }
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
