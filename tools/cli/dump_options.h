// What a user asks of evt dump.
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

struct DumpArguments {
  std::vector<std::string> files;
  bool canonical = false;
  bool count = false;
  bool types = false;
  bool streams = false;
  bool header = false;
  bool follow = false;
  std::uint64_t limit = UINT64_MAX;
  std::uint64_t last = UINT64_MAX;
  EventForm form;
  Selection selection;
  Reading reading;

  bool has_last() const { return last != UINT64_MAX; }
};

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<DumpArguments>& options);

}  // namespace evt::tools
