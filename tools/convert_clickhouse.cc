#include "convert_clickhouse.h"

#include <evt/export/row_binary.h>
#include <evt/export/tables.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command_files.h"
#include "libtrace-read/export/src/base/near_names.h"
#include "libtrace-read/export/src/base/shown.h"
#include "output.h"
#include "report.h"

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

Status append_format(TextOutput& out, const Tables& tables, const evt::Table* table, const ConvertArguments& options) {
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

}  // namespace

int convert_to_clickhouse(const ConvertArguments& options) {
  Report report("evt convert");
  if (const Status status = check_files(options.inputs, options.output); !status.ok()) {
    return report.usage(status.message());
  }
  int exit = kExitOk;
  std::deque<Trace> traces;
  std::vector<std::pair<std::string, Trace*>> named;
  ReadOptions reading;
  reading.use_index = false;
  reading.check_index = true;
  for (const std::string& path : options.inputs) {
    auto trace = options.reading.open(path, reading);
    if (trace) {
      traces.push_back(*std::move(trace));
      named.emplace_back(Reading::name_of(path), &traces.back());
    } else {
      exit = report.no_answer(trace.status());
    }
  }
  if (traces.empty()) return exit;
  std::vector<Trace*> pointers;
  for (const auto& [name, trace] : named) pointers.push_back(trace);
  const Tables tables(pointers);
  const evt::Table* const table = tables.find(options.table);
  if (table == nullptr && !options.table.empty()) {
    report.say(no_such_table(tables, options.table));
    return std::max<int>(exit, kExitPartly);
  }

  // Rows are no text: a terminal gets none.
  std::optional<FileOutput> file;
  if (options.output != "-" || *options.format == OutputFormat::kRowBinary) {
    auto opened = FileOutput::open(options.output);
    if (!opened) return report.no_answer(opened.status());
    file.emplace(*std::move(opened));
  }
  TextOutput out(file ? file->descriptor() : STDOUT_FILENO, file ? file->name() : "standard output");
  if (const Status made = append_format(out, tables, table, options); !made.ok()) return report.no_answer(made);
  if (!out.flush()) return report.no_answer(out.status());
  if (file) {
    if (const Status completed = file->complete(true); !completed.ok()) return report.no_answer(completed);
  }
  for (const auto& [name, trace] : named) exit = std::max(exit, report.finish(name, *trace));
  return exit;
}

}  // namespace evt::tools
