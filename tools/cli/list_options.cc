#include <CLI/CLI.hpp>

#include "base/help_text.h"
#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {

void add_options(CLI::App& app, const std::shared_ptr<ListArguments>& options) {
  app.add_option("name", options->names,
                 "these rings alone: a ring's file, with or without its folder, its session, or its trace");
  add_json_options(app, &options->json, &options->json_safe, "one JSON object a ring instead of a table");
  CLI::Option* const remove =
      app.add_flag("--remove", options->remove,
                   "remove rings of programs that ended, whose trace is gone or was no file; with names those that are "
                   "named, with all rows in them; never the ring of a living program");
  app.add_flag("--all", options->all, "with --remove: also those whose trace is not known, and what is no ring")
      ->needs(remove);
  add_color(app);
  add_printing(app);
  add_quiet(app);
  app.footer(help_text("evt-list"));
  app.parse_complete_callback([options] {
    if (options->all && !options->names.empty()) throw CLI::ValidationError("--all", "expected no names with it");
  });
}

}  // namespace evt::tools
