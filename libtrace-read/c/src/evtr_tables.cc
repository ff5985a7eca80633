// Tables as streams of Arrow arrays.
#include <evt/reader.h>

#include <cerrno>
#include <string>

#include "arrow_array.h"
#include "guarded.h"
#include "open_traces.h"

namespace evt::reader {
namespace {

constexpr std::size_t kMostRows = 65536;

struct Stream {
  std::shared_ptr<OpenTraces> open;
  const Table* table;
  Tables::Rows rows;
  bool has_ended = false;
  evtr_error error = {};
};

Stream* stream_of(ArrowArrayStream* stream) { return static_cast<Stream*>(stream->private_data); }

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  Stream* const s = stream_of(stream);
  return guarded(&s->error, ENOMEM, [&] {
    export_schema(*s->table, out);
    return 0;
  });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  Stream* const s = stream_of(stream);
  *out = {};
  return guarded(&s->error, ENOMEM, [&] {
    TableBatch* const rows = s->has_ended ? nullptr : s->rows.next();
    if (rows != nullptr) {
      export_rows(std::move(*rows), out);
      return 0;
    }
    s->has_ended = true;
    const Code code = s->rows.status().code();
    // A trace that was cut or damaged has problems, which evtr_problem() lists; these are all its rows.
    if (code != Code::kIo && code != Code::kMemory) return 0;
    set_error(&s->error, s->rows.status());
    return EIO;
  });
}

const char* get_last_error(ArrowArrayStream* stream) {
  const evtr_error& error = stream_of(stream)->error;
  return error.code != EVT_OK ? error.message : nullptr;
}

void release(ArrowArrayStream* stream) {
  delete stream_of(stream);
  stream->release = nullptr;
}

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
    to->private_data = new Stream{trace->open, table, tables.read({&table, 1}, reading)};
    to->get_schema = &get_schema;
    to->get_next = &get_next;
    to->get_last_error = &get_last_error;
    to->release = &release;
    return 1;
  });
}

}  // extern "C"
