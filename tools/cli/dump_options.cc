#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "base/help_text.h"
#include "base/terminal.h"
#include "cli/command_options.h"
#include "cli/common_options.h"
#include "where/where_parser.h"

namespace evt::tools {

void add_options(CLI::App& app, const std::shared_ptr<DumpArguments>& options) {
  app.add_option("file", options->files, "the traces, one after another; - is standard input")->required();
  const auto flag = [&](const char* name, bool* out, const char* what) { return app.add_flag(name, *out, what); };
  const auto exclude = [&app](CLI::Option* option, const std::vector<const char*>& others) {
    for (const char* const other : others) option->excludes(app.get_option(other));
  };
  CLI::Option* const canonical =
      flag("--canonical", &options->canonical, "print the text form, from which evt convert restores the same trace");
  add_event_form(app, &options->form);
  CLI::Option* const count = flag("--count", &options->count, "print only the number of events");
  CLI::Option* const types = flag("--types", &options->types, "print the event types instead of events");
  CLI::Option* const streams = flag("--streams", &options->streams, "print the streams instead of events");
  CLI::Option* const header = flag("--header", &options->header,
                                   "print the sessions with their programs, clocks and facts. With --json, --types,\n"
                                   "--streams and --header each print one JSON object");
  // Tables go together, everything else is one answer at a time.
  for (CLI::Option* const other : {canonical, count}) exclude(other, options_of_events());
  for (CLI::Option* const other : {canonical, count}) exclude(other, {"--json"});
  count->excludes(canonical);
  for (CLI::Option* const table : {types, streams, header}) table->excludes(canonical)->excludes(count);
  CLI::Option* const limit =
      app.add_option("-n,--limit,--first", options->limit, "print only the first N events of each trace")
          ->check(is_number("a number of events"))
          ->type_name("N");
  CLI::Option* const last = app.add_option("--last", options->last, "print only the last N events of each trace")
                                ->check(is_number("a number of events"))
                                ->type_name("N");
  last->excludes(limit)->excludes(canonical)->excludes(count);
  CLI::Option* const follow =
      flag("--follow", &options->follow,
           "print the events of a running program as they arrive, until it ends; with -, read a growing trace from\n"
           "a pipe");
  follow->excludes(canonical)->excludes(count);
  exclude(follow, {"--csv"});
  add_selection(app, &options->selection);
  add_reading(app, &options->reading);
  add_printing(app);
  add_quiet(app);
  exclude(follow, {"--no-rings"});
  // Tables are of all that a trace declares.
  for (CLI::Option* const table : {types, streams, header}) {
    table->excludes(limit)->excludes(last)->excludes(follow);
    exclude(table, options_of_events());
    exclude(table, {"--zone", "--from", "--to", "--stream", "--event", "--where"});
  }
  // What comes is shown as it comes.
  app.parse_complete_callback([options] {
    if (options->follow) Terminal::set_no_pager();
  });
  app.footer(help_text("evt-dump") + "\n" + where_help() + "\n\n" + help_text("evt-dump.examples"));
}

}  // namespace evt::tools
