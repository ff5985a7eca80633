// What a user asks of evt sql.
#pragma once

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

struct SqlArguments {
  std::vector<std::string> words;  // traces, and behind them the query
  std::vector<std::string> files;
  std::optional<std::string> query;
  Selection selection;  // of times alone
  Reading reading;
  bool json = false;
  bool csv = false;
  bool views = false;
  std::string output = "-";
  OutputFormat format = OutputFormat::kText;  // of the output; text is for standard output
};

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<SqlArguments>& options);

}  // namespace evt::tools
