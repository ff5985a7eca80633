// What a user asks of evt run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "libtrace-record/collect/recorded_run.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

struct RunArguments {
  record::RunWanted run;
  std::vector<std::string> calls;    // groups
  std::string all_calls;             // as it was given
  std::string count;                 // the same
  std::vector<std::string> reports;  // analyses in place of the screen
  bool json = false;
  bool anonymous = false;
  std::int64_t every_ns = 0;  // how often what was so far is printed; 0: never
};

// What --calls takes, beside all and none.
std::vector<std::string> call_groups();

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<RunArguments>& options);

}  // namespace evt::tools
