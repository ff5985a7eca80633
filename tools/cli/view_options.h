// What a user asks of evt view.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/reading.h"
#include "cli/selection.h"
#include "view/row_choice.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

struct ViewArguments {
  std::vector<std::string> files;
  std::string output;  // empty: into the terminal
  bool text = false;
  double width = 0;  // of a picture, in points
  bool black_and_white = false;
  RowChoice rows;
  std::string color = "auto";
  Selection selection;
  Reading reading;
};

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<ViewArguments>& options);

}  // namespace evt::tools
