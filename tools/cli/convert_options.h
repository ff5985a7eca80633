// What a user asks of evt convert.
#pragma once

#include <evt/export/clickhouse_tables.h>
#include <evt/export/timeline_export.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/output_format.h"
#include "cli/selection.h"
#include "cli/trace_inputs.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

struct ConvertArguments {
  std::vector<std::string> inputs;
  std::string output = "-";
  std::string form;
  std::optional<OutputFormat> format;  // of the output, if its name or --to has it
  bool columns = false;
  bool rows = false;
  bool kernel_names = false;         // in CTF
  std::optional<PathWeight> weight;  // of stacks
  std::string table;                 // of which there are rows
  ClickHousePlace place;
  Selection selection;
  Reading reading;
};

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<ConvertArguments>& options);

}  // namespace evt::tools
