// Tables as streams of Arrow arrays.
#include <evt/reader.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "arrow_array.h"
#include "arrow_stream.h"
#include "guarded.h"
#include "open_traces.h"

namespace evt::reader {
namespace {

constexpr std::size_t kMostRows = 65536;

class TableRows {
 public:
  TableRows(std::shared_ptr<OpenTraces> open, const Table& table, Tables::Rows rows)
      : open_(std::move(open)), table_(&table), rows_(std::move(rows)) {}

  const Table& table() const { return *table_; }

  int next(ArrowArray* out, evtr_error* error) {
    TableBatch* const rows = has_ended_ ? nullptr : rows_.next();
    if (rows != nullptr) {
      export_rows(std::move(*rows), out);
      return 0;
    }
    has_ended_ = true;
    const Code code = rows_.status().code();
    // A trace that was cut or damaged has problems, which evtr_problem() lists; these are all its rows.
    if (code != Code::kIo && code != Code::kMemory) return 0;
    set_error(error, rows_.status());
    return EIO;
  }

 private:
  std::shared_ptr<OpenTraces> open_;
  const Table* table_;
  Tables::Rows rows_;
  bool has_ended_ = false;
};

}  // namespace
}  // namespace evt::reader

using namespace evt::reader;

extern "C" {

size_t evtr_table_count(const evtr_trace* trace) { return trace->open->tables().all().size(); }

evtr_text evtr_table_name(const evtr_trace* trace, size_t table) {
  const auto& all = trace->open->tables().all();
  if (table >= all.size()) return {"", 0};
  return {all[table].name.c_str(), all[table].name.size()};
}

int evtr_table_1(evtr_trace* trace, const char* name, const evtr_table_options* options, size_t options_size,
                 struct ArrowArrayStream* to, evtr_error* error) {
  *to = {};
  return guarded(error, 0, [&] {
    const evt::Tables& tables = trace->open->tables();
    const evt::Table* const table = tables.find(name);
    if (table == nullptr) {
      set_error(error, EVT_CODE_INVALID, "there is no table `" + std::string(name) + "`");
      return 0;
    }
    const evtr_table_options wanted = given(options, options_size);
    evt::Tables::Options reading;
    reading.range = range_in(wanted.range);
    reading.most_rows = wanted.most_rows != 0 ? wanted.most_rows : kMostRows;
    ArrowStream<TableRows>::open({trace->open, *table, tables.read({&table, 1}, reading)}, to);
    return 1;
  });
}

}  // extern "C"
