#include <CLI/CLI.hpp>

#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {

void add_options(CLI::App& app, const std::shared_ptr<SwitchArguments>& options) {
  app.add_option("program", options->program, "pid:N, or the trace that it records to")->required();
  app.add_option("types", options->glob, "a pattern of the names of event types, such as 'gc.*'")->required();
  app.add_option_function<std::string>("state", [options](const std::string& word) { options->on = word == "on"; })
      ->check(is_one_of({"on", "off"}))
      ->description("on or off")
      ->required();
  add_quiet(app);
  app.footer(
      "The program's writer does it when it works next, within a tenth of a second; a\n"
      "stopped program does it when it goes on. Types that match and are declared later\n"
      "are switched, too. An event trace.switched records the pattern and who asked.\n"
      "Only the user of the program, and root, may switch its types.\n\n"
      "Examples: evt switch pid:1234 'gc.*' on\n"
      "          evt switch app.evt '*' off\n\n"
      "Exit status: 0 done; 1 the program does not work now, and does it later; 2 wrong\n"
      "usage; 3 there is no such program, or it has ended.");
}

}  // namespace evt::tools
