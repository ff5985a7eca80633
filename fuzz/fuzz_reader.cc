// A file of any bytes, or the trace that a text makes, through the reader's C interface: every text, value and array
// can be read to its end, and tables of events have each event of a declared type once; so can those of analyses.
#include <evt/reader.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <string_view>

#include "fuzz_target.h"
#include "text_form.h"

namespace {

// A sum of all bytes, so that each is read.
std::uint64_t sum_of(const void* bytes, std::size_t size) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += static_cast<const unsigned char*>(bytes)[i];
  return sum;
}

std::uint64_t sum_of(const evtr_text& text) {
  FUZZ_CHECK(text.data == nullptr || text.data[text.size] == '\0');
  return sum_of(text.data, text.size);
}

std::uint64_t look_at_sessions(const evtr_trace* trace) {
  std::uint64_t sum = 0;
  evtr_session session;
  for (std::size_t i = 0; evtr_session_at(trace, i, &session); ++i) {
    sum += sum_of(session.program) + sum_of(session.host) + sum_of(session.writer);
    evtr_stream stream;
    std::size_t streams = 0;
    for (; evtr_stream_at(trace, i, streams, &stream); ++streams) sum += sum_of(stream.name);
    FUZZ_CHECK(streams == session.stream_count);
    evtr_type type;
    std::size_t types = 0;
    for (; evtr_type_at(trace, i, types, &type); ++types) {
      sum += sum_of(type.name) + sum_of(type.description);
      evtr_field field;
      std::size_t fields = 0;
      for (; evtr_field_at(trace, i, types, fields, &field); ++fields) sum += sum_of(field.name);
      FUZZ_CHECK(fields == type.field_count);
    }
    FUZZ_CHECK(types == session.type_count);
  }
  return sum;
}

// How many are of types that are declared.
std::uint64_t read_events(evtr_trace* trace) {
  evtr_events* const events = evtr_events_open(trace, nullptr, nullptr);
  FUZZ_CHECK(events != nullptr);
  std::uint64_t declared = 0;
  evtr_event event;
  while (evtr_next(events, &event)) {
    declared += event.type != EVTR_NONE ? 1 : 0;
    evtr_value value;
    for (std::size_t field = 0; evtr_value_at(events, field, &value); ++field) {
      if (value.kind == EVTR_VALUE_BYTES) {
        sum_of(value.text.data, value.text.size);
      } else {
        sum_of(value.text);
      }
    }
  }
  evtr_events_close(events);
  return declared;
}

std::uint64_t read_batches(evtr_trace* trace) {
  evtr_events* const events = evtr_events_open(trace, nullptr, nullptr);
  FUZZ_CHECK(events != nullptr);
  std::uint64_t declared = 0;
  evtr_batch batch;
  while (evtr_next_batch(events, &batch)) {
    FUZZ_CHECK(batch.size > 0);
    for (std::size_t i = 0; i < batch.size; ++i) declared += batch.types[i] != EVTR_NONE ? 1 : 0;
    sum_of(batch.ns, batch.size * sizeof *batch.ns);
  }
  evtr_events_close(events);
  return declared;
}

// By Arrow's rules for the format of a column.
void look_at(const ArrowSchema& schema, const ArrowArray& array) {
  const auto size = static_cast<std::size_t>(array.length);
  const std::string_view format = schema.format;
  FUZZ_CHECK(array.offset == 0 && array.null_count >= 0 && array.null_count <= array.length);
  if (array.null_count > 0) sum_of(array.buffers[0], (size + 7) / 8);
  if (schema.dictionary != nullptr) {
    const auto* const places = static_cast<const std::int32_t*>(array.buffers[1]);
    for (std::size_t i = 0; i < size; ++i) {
      FUZZ_CHECK(places[i] >= 0 && (places[i] < array.dictionary->length || array.null_count > 0));
    }
    return look_at(*schema.dictionary, *array.dictionary);
  }
  if (format == "u" || format == "z" || format == "+l") {
    const auto* const ends = static_cast<const std::int32_t*>(array.buffers[1]);
    FUZZ_CHECK(ends[0] == 0);
    for (std::size_t i = 0; i < size; ++i) FUZZ_CHECK(ends[i] <= ends[i + 1]);
    if (format != "+l") {
      sum_of(array.buffers[2], static_cast<std::size_t>(ends[size]));
      return;
    }
    FUZZ_CHECK(ends[size] == array.children[0]->length);
    return look_at(*schema.children[0], *array.children[0]);
  }
  sum_of(array.buffers[1], format == "b" ? (size + 7) / 8 : size * 8);
}

// The same with all their fields, three at a time.
std::uint64_t read_fields(evtr_trace* trace) {
  evtr_events* const events = evtr_events_open(trace, nullptr, nullptr);
  FUZZ_CHECK(events != nullptr);
  std::uint64_t declared = 0;
  evtr_rows rows;
  while (evtr_next_rows(events, 3, &rows)) {
    FUZZ_CHECK(rows.size > 0 && rows.size <= 3);
    std::int64_t in_tables = 0;
    for (std::size_t i = 0; i < rows.table_count; ++i) {
      const ArrowArray& array = *rows.arrays[i];
      FUZZ_CHECK(array.n_children == rows.schemas[i]->n_children);
      for (std::int64_t c = 0; c < array.n_children; ++c) look_at(*rows.schemas[i]->children[c], *array.children[c]);
      in_tables += array.length;
    }
    FUZZ_CHECK(in_tables <= static_cast<std::int64_t>(rows.size));
    for (std::size_t i = 0; i < rows.size; ++i) declared += rows.types[i] != EVTR_NONE ? 1 : 0;
  }
  evtr_events_close(events);
  return declared;
}

std::uint64_t read_rows(ArrowArrayStream stream) {
  ArrowSchema schema;
  FUZZ_CHECK(stream.get_schema(&stream, &schema) == 0);
  std::uint64_t rows = 0;
  while (true) {
    ArrowArray array;
    FUZZ_CHECK(stream.get_next(&stream, &array) == 0);
    if (array.release == nullptr) break;
    FUZZ_CHECK(array.n_children == schema.n_children && array.length > 0);
    for (std::int64_t i = 0; i < array.n_children; ++i) {
      FUZZ_CHECK(array.children[i]->length == array.length);
      look_at(*schema.children[i], *array.children[i]);
    }
    rows += static_cast<std::uint64_t>(array.length);
    array.release(&array);
  }
  schema.release(&schema);
  stream.release(&stream);
  return rows;
}

std::uint64_t read_table(evtr_trace* trace, const evtr_text& name) {
  ArrowArrayStream stream;
  // A name with a NUL inside is that of another table, or of none.
  return evtr_table(trace, name.data, nullptr, &stream, nullptr) ? read_rows(stream) : 0;
}

// Analyses that pair no events are computed of every trace.
void read_reports(evtr_trace* trace) {
  for (const char* const analyses :
       {"summary,counts,overhead,events", "cpu,threads,gc,spans,calls,share,usage,stops"}) {
    evtr_error error;
    evtr_report* const report = evtr_report_open(trace, analyses, nullptr, &error);
    FUZZ_CHECK((report == nullptr) == (error.code != EVT_OK));
    FUZZ_CHECK(report != nullptr || error.code == EVT_CODE_IO || analyses[0] == 'c');
    if (report == nullptr) continue;
    for (std::size_t i = 0; i < evtr_report_table_count(report); ++i) {
      ArrowArrayStream stream;
      FUZZ_CHECK(evtr_report_table(report, evtr_report_table_name(report, i).data, &stream, nullptr));
      read_rows(stream);
    }
    for (std::size_t i = 0; evtr_report_note(report, i).size > 0; ++i) sum_of(evtr_report_note(report, i));
    evtr_report_close(report);
  }
}

void read_all(evtr_trace* trace) {
  look_at_sessions(trace);
  const std::uint64_t events = read_events(trace);
  FUZZ_CHECK(read_batches(trace) == events);
  FUZZ_CHECK(read_fields(trace) == events);
  std::uint64_t rows = 0;
  bool has_nul = false;
  for (std::size_t i = 0; i < evtr_table_count(trace); ++i) {
    const evtr_text name = evtr_table_name(trace, i);
    has_nul |= std::string_view(name.data, name.size).find('\0') != std::string_view::npos;
    const std::uint64_t of_table = read_table(trace, name);
    rows += i >= 9 ? of_table : 0;
  }
  FUZZ_CHECK(has_nul || rows == events);
  read_reports(trace);
  evtr_error error;
  for (std::size_t i = 0; evtr_problem(trace, i, &error); ++i) FUZZ_CHECK(error.message[0] != '\0');
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string made;
  if (bytes.starts_with("evtrace text")) {
    evt::Status status;
    made = fuzz::trace_of(bytes, &status);
    bytes = made;
  }
  const int file = memfd_create("trace", MFD_CLOEXEC);
  FUZZ_CHECK(file >= 0 && write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  std::array<char, 32> path;
  std::snprintf(path.data(), path.size(), "/proc/self/fd/%d", file);
  const char* const paths[] = {path.data()};
  evtr_open_options options = {};
  options.no_rings = 1;
  evtr_error error;
  evtr_trace* const trace = evtr_open(paths, 1, &options, &error);
  FUZZ_CHECK((trace == nullptr) == (error.code != EVT_OK));
  if (trace != nullptr) read_all(trace);
  evtr_close(trace);
  close(file);
  return 0;
}
