// What a user asks of evt cut.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/selection.h"
#include "cli/trace_inputs.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

struct CutArguments {
  std::string input;
  std::string output;
  Selection selection;
  Reading reading;
  std::vector<std::string> parts;  // patterns
  std::string every;
  bool columns = false;
  bool rows = false;
  bool no_state = false;
  bool anonymous = false;
  std::optional<std::uint64_t> split_size;
  std::optional<std::int64_t> split_every;
  std::string what;  // the options that leave something out
};

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<CutArguments>& options);

}  // namespace evt::tools
