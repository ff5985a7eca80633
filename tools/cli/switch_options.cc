#include <CLI/CLI.hpp>

#include "base/help_text.h"
#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {

void add_options(CLI::App& app, const std::shared_ptr<SwitchArguments>& options) {
  app.add_option("program", options->program, "pid:N, or the trace that it records to")->required();
  app.add_option("types", options->glob, "a pattern of event type names, such as 'gc.*'")->required();
  app.add_option_function<std::string>("state", [options](const std::string& word) { options->on = word == "on"; })
      ->check(is_one_of({"on", "off"}))
      ->description("on or off")
      ->required();
  add_quiet(app);
  app.footer(help_text("evt-switch"));
}

}  // namespace evt::tools
