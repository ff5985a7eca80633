// What a user asks of evt stats: analyses, traces, and how to show what comes of them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/selection.h"
#include "cli/trace_inputs.h"
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
  std::string table;                 // the only one
  std::vector<std::string> columns;  // beside keys; empty: those that have room
  std::optional<TimeSpec> at;
  Selection selection;
  AnalysisOptions analysis;
  bool no_checkpoints = false;
  bool whole_session = false;
  Reading reading;
};

// Whether a subcommand of this name has its options though it is not chosen; empty: none has.
using NeedsOptions = std::function<bool(const std::string&)>;

// Adds all options and a subcommand for each analysis; `options` has the values when the command line was read. An
// analysis that does not need its own options gets them when the command line chooses it.
void add_options(CLI::App& app, const std::shared_ptr<StatsArguments>& options, const NeedsOptions& needs);

}  // namespace evt::tools
