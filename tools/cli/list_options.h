// What a user asks of evt list.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

struct ListArguments {
  std::vector<std::string> names;  // empty: of all
  bool json = false;
  bool json_safe = false;
  bool remove = false;
  bool all = false;
};

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<ListArguments>& options);

}  // namespace evt::tools
