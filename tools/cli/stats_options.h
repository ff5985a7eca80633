// What a user asks of evt stats: analyses, traces, and how to show what comes of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/reading.h"
#include "cli/selection.h"
#include "stats/analysis.h"
#include "stats/stats_output.h"
#include "time_spec.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

struct StatsArguments {
  std::vector<std::string> words;         // analyses, then files
  std::vector<std::string> words_behind;  // the name of an analysis that is a subcommand
  bool is_diff = false;
  std::optional<double> fail_above;  // percent
  std::vector<std::string> analyses;
  std::vector<std::string> files;
  OutputOptions output;
  std::size_t top = SIZE_MAX;
  std::string sort;
  std::optional<TimeSpec> at;
  Selection selection;
  AnalysisOptions analysis;
  bool no_checkpoints = false;
  bool whole_session = false;
  Reading reading;
};

// Adds all options and a subcommand for each analysis; `options` has the values when the command line was read. Without
// `needs_all` an analysis gets its own options when the command line names it.
void add_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options, bool needs_all);

}  // namespace evt::tools
