// What a user asks of evt check.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/trace_inputs.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

struct CheckArguments {
  std::vector<std::string> files;
  std::string repaired;
  bool recover = false;
  std::string ring;  // the one to recover from; empty: those that name the file
  bool salvage = false;
  bool json = false;
  bool json_safe = false;
  Reading reading;
};

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<CheckArguments>& options);

}  // namespace evt::tools
