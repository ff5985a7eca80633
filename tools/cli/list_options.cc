#include <CLI/CLI.hpp>

#include "base/help_text.h"
#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {

void add_options(CLI::App& app, const std::shared_ptr<ListArguments>& options) {
  app.add_option("name", options->names, "only these rings, by file (with or without folder), session or trace");
  add_json_options(app, &options->json, &options->json_safe, "print one JSON object per ring");
  CLI::Option* const remove =
      app.add_flag("--remove", options->remove,
                   "remove rings of dead programs that have no trace file; NAME also removes rings that still hold "
                   "events. Rings of living programs are never removed");
  app.add_flag("--all", options->all, "with --remove: also remove rings of unknown traces, and other files there")
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
