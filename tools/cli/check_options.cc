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
         "with --recover, for a copy of a trace: read this ring, a name or a path as evt list shows it, though it "
         "belongs to another file; it stays")
      ->type_name("RING")
      ->needs(recover);
  app.add_option("--repair", options->repaired,
                 "write all that can be read to this file, as a trace that is whole (.evt); - is standard output")
      ->type_name("FILE");
  app.add_flag("--salvage", options->salvage,
               "scan the whole file for blocks (disk images, wrecked files); may find remnants of older traces");
  app.add_flag("--strict", options->strict,
               "list also what a writer must not write though it can be read: for those who make writers");
  add_json_options(app, &options->json, &options->json_safe, "one JSON object a trace instead of lines for people");
  add_reading(app, &options->reading)->excludes(recover);
  add_color(app);
  add_quiet(app);
  app.footer(help_text("evt-check"));
  app.parse_complete_callback([options] {
    throw_unless_ok("--repair", check_trace_name(options->repaired));
    refuse_if(options->json && options->repaired == "-", "--json",
              "standard output is for the trace that --repair writes there");
  });
}

}  // namespace evt::tools
