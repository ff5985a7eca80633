// What a user asks of evt grep.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/event_form.h"
#include "cli/selection.h"
#include "cli/trace_inputs.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

struct GrepArguments {
  std::vector<std::string> files;
  std::vector<std::string> texts;
  std::vector<std::string> patterns;
  bool ignore_case = false;
  bool count = false;
  std::uint64_t context = 0;
  std::uint64_t first = UINT64_MAX;
  std::uint64_t last = UINT64_MAX;
  EventForm form;
  Selection selection;
  Reading reading;

  bool has_last() const { return last != UINT64_MAX; }
};

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<GrepArguments>& options);

}  // namespace evt::tools
