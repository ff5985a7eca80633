#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "base/help_text.h"
#include "base/output_format.h"
#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {

void add_options(CLI::App& app, const std::shared_ptr<CheckArguments>& options) {
  app.add_option("file", options->files, "the traces; - is standard input")->required();
  CLI::Option* const recover =
      app.add_flag("--recover", options->recover,
                   "put what the ring of a killed program still holds into its trace, and remove the ring");
  app.add_option(
         "--ring", options->ring,
         "with --recover, for a copy of a trace: read this ring (a name or path from evt list) of another file, "
         "and keep it")
      ->type_name("RING")
      ->needs(recover);
  app.add_option("--repair", options->repaired,
                 "write everything readable to this file, as a valid trace (.evt); - is standard output")
      ->type_name("FILE");
  app.add_flag("--salvage", options->salvage,
               "scan the whole file for blocks (disk images, wrecked files); may find remnants of older traces");
  app.add_flag("--strict", options->strict,
               "also report data that can be read but violates the format (for authors of writers)");
  add_json_options(app, &options->json, &options->json_safe, "print one JSON object per trace");
  add_reading(app, &options->reading)->excludes(recover);
  add_color(app);
  add_quiet(app);
  app.footer(help_text("evt-check"));
  app.parse_complete_callback([options] {
    throw_unless_ok("--repair", check_trace_name(options->repaired));
    refuse_if(options->json && options->repaired == "-", "--json",
              "standard output takes the trace that --repair writes");
  });
}

}  // namespace evt::tools
