#include <evt/export/row_binary.h>
#include <evt/export/tables.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/output.h"
#include "base/report.h"
#include "cmd/convert_outputs.h"
#include "input/trace_inputs.h"
#include "libtrace-read/text/near_names.h"
#include "libtrace-read/text/shown.h"

namespace evt::tools {
namespace {

std::string no_such_table(const Tables& tables, const std::string& name) {
  std::vector<std::string> names;
  for (const evt::Table& table : tables.all()) names.push_back(table.name);
  return fmt::format("there is no table {}{}", shown(name), did_you_mean(name, names));
}

Status append_rows(TextOutput& out, const Tables& tables, const evt::Table& table, const ConvertArguments& options) {
  Tables::Options reading;
  reading.range = [&](const Session& session) { return options.selection.range(session); };
  const evt::Table* const wanted = &table;
  Tables::Rows rows = tables.read({&wanted, 1}, reading);
  while (const TableBatch* const batch = rows.next()) {
    append_row_binary(out.text(), *batch);
    if (!out.drain()) return out.status();
  }
  return rows.status().code() == Code::kIo ? rows.status() : Status();
}

Status append_all(TextOutput& out, const Tables& tables, const evt::Table* table, const ConvertArguments& options) {
  if (*options.format == OutputFormat::kRowBinary) return append_rows(out, tables, *table, options);
  if (*options.format == OutputFormat::kClickHouseInsert) {
    append_clickhouse_insert(out.text(), *table, options.place);
  } else {
    std::vector<const evt::Table*> all;
    for (const evt::Table& each : tables.all()) all.push_back(&each);
    append_clickhouse_tables(out.text(), all, options.place);
  }
  return {};
}

Status write_all_of(const Tables& tables, const evt::Table* table, const ConvertArguments& options) {
  std::optional<FileOutput> file;
  if (options.output != "-" || is_binary(*options.format)) {
    auto opened = FileOutput::open(options.output, OutputMode::of(options.inputs));
    if (!opened) return opened.status();
    file.emplace(*std::move(opened));
  }
  TextOutput out(file ? file->descriptor() : STDOUT_FILENO, file ? file->name() : "standard output");
  if (const Status appended = append_all(out, tables, table, options); !appended.ok()) return appended;
  if (!out.flush()) return out.status();
  return file ? file->complete(true) : Status();
}

}  // namespace

int convert_to_clickhouse(const ConvertArguments& options) {
  Report report("evt convert");
  if (const Status status = check_files(options.inputs, options.output); !status.ok()) {
    return report.usage(status.message());
  }
  const std::vector<TraceInput> inputs = trace_inputs(options.inputs);
  int exit = kExitOk;
  std::vector<OpenedTrace> traces = open_traces(inputs, options.reading, report, &exit, kReadWhole);
  if (traces.empty()) return exit;
  std::vector<Trace*> pointers;
  for (OpenedTrace& input : traces) pointers.push_back(&input.trace);
  const Tables tables(pointers);
  const evt::Table* const table = tables.find(options.table);
  if (table == nullptr && !options.table.empty()) {
    report.say(no_such_table(tables, options.table));
    return std::max<int>(exit, kExitPartly);
  }
  if (const Status written = write_all_of(tables, table, options); !written.ok()) return report.no_answer(written);
  for (const OpenedTrace& input : traces) exit = std::max(exit, report.finish(input.name, input.trace));
  return std::max(exit, report.say_missing(
                            options.selection.nowhere_in(std::vector<const Trace*>(pointers.begin(), pointers.end()))));
}

}  // namespace evt::tools
