#include "cli/common_options.h"

#include <CLI/CLI.hpp>

#include "cli/option_values.h"
#include "report.h"
#include "terminal.h"

namespace evt::tools {

void add_quiet(CLI::App& app) {
  app.add_flag_function(
      "-q,--quiet", [](std::int64_t) { Report::be_quiet(); },
      "no notes and no progress on standard error; errors, and the exit status, are as without");
}

CLI::Option* add_color(CLI::App& app) {
  return app.add_option_function<std::string>("--color", [](const std::string& when) { Terminal::set_color(when); })
      ->description("colours: auto (the default: on a terminal), always or never")
      ->check(is_one_of({"auto", "always", "never"}))
      ->type_name("auto|always|never");
}

void add_wide(CLI::App& app) {
  app.add_flag_function(
      "--wide", [](std::int64_t) { Terminal::set_wide(); },
      "on a terminal: texts in tables are not shortened to its width");
}

void add_printing(CLI::App& app) {
  add_wide(app);
  app.add_flag_function(
      "--no-pager", [](std::int64_t) { Terminal::set_no_pager(); }, "on a terminal: print without a pager");
}

}  // namespace evt::tools
