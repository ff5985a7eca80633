#include <CLI/CLI.hpp>

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
  app.footer(
      "kept is the time up to the last event of which everything is there. The session, or pid:1234, names its trace\n"
      "for every command; evt snapshot copies it.\n\n"
      "Examples: evt list\n          evt list --remove\n          evt list --remove app.evt\n\n"
      "Exit status: 0 listed, also if there is no ring; 1 a name has no ring, or a ring could not be removed; 2 wrong\n"
      "usage; 3 the list could not be written.");
  app.parse_complete_callback([options] {
    if (options->all && !options->names.empty()) throw CLI::ValidationError("--all", "expected no names with it");
  });
}

}  // namespace evt::tools
