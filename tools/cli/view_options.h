// What a user asks of evt view.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/selection.h"
#include "cli/trace_inputs.h"
#include "view/row_choice.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

struct ViewArguments {
  std::vector<std::string> files;
  std::string output;  // a picture, or the page; empty: none
  bool text = false;   // into the terminal
  // Into neither, but into the browser:
  bool no_open = false;
  std::uint16_t port = 0;
  std::vector<std::string> allowed_hosts;
  std::int64_t idle_ns = 0;
  bool no_cache = false;
  bool separate = false;  // each session on a timeline of its own
  bool is_served() const { return output.empty() && !text; }
  // The page in a file.
  bool is_page() const;
  std::uint64_t detail = 0;  // bytes of it

  double width = 0;  // of a picture, in points
  bool black_and_white = false;
  RowChoice rows;
  Selection selection;
  Reading reading;
};

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<ViewArguments>& options);

}  // namespace evt::tools
