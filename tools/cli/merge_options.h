// What a user asks of evt merge.
#pragma once

#include <evt/merge.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/trace_inputs.h"

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

struct MergeArguments {
  std::vector<std::string> files;
  std::string output;
  std::vector<std::string> offsets;  // FILE=NS
  std::vector<std::string> sync_on;  // SEND,RECEIVE[:FIELD]
  Reading reading;
};

// Nanoseconds, or a length of time with a unit, of either sign.
std::optional<std::int64_t> parse_offset(std::string_view text);
// SEND,RECEIVE[:FIELD]
std::optional<PairedEvents> parse_matched(const std::string& text);

// Adds all options, of which `options` has the values when the command line was read.
void add_options(CLI::App& app, const std::shared_ptr<MergeArguments>& options);

}  // namespace evt::tools
