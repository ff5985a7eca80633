// What a user asks of evt dump.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/reading.h"
#include "cli/selection.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

struct DumpArguments {
  std::vector<std::string> files;
  bool canonical = false;
  bool json = false;
  bool csv = false;
  bool count = false;
  bool types = false;
  bool streams = false;
  bool header = false;
  bool utc = false;
  bool relative = false;
  std::uint64_t limit = UINT64_MAX;
  Selection selection;
  Reading reading;
};

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<DumpArguments>& options);

}  // namespace evt::tools
