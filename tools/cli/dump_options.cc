#include "cli/dump_options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "cli/common_options.h"
#include "cli/option_values.h"
#include "where/where_help.h"

namespace evt::tools {

void add_options(CLI::App& app, const std::shared_ptr<DumpArguments>& options) {
  app.add_option("file", options->files, "the traces, one after another; - is standard input")->required();
  const auto flag = [&](const char* name, bool* out, const char* what) { return app.add_flag(name, *out, what); };
  const auto exclude = [](CLI::Option* option, std::initializer_list<CLI::Option*> others) {
    for (CLI::Option* const other : others) option->excludes(other);
  };
  CLI::Option* const canonical =
      flag("--canonical", &options->canonical, "the text form, from which evt convert makes the same trace again");
  CLI::Option* const json =
      flag("-j,--json", &options->json,
           "a JSON object for each event; with --header, --types or --streams\nfor each of those");
  CLI::Option* const csv =
      flag("--csv", &options->csv,
           "comma-separated values, a column for each field;\ncontrol characters in texts are \\xHH");
  CLI::Option* const count = flag("--count", &options->count, "only the number of events");
  CLI::Option* const types = flag("--types", &options->types, "the event types instead of events");
  CLI::Option* const streams = flag("--streams", &options->streams, "the streams instead of events");
  CLI::Option* const header = flag("--header", &options->header, "the sessions, their programs, clocks and facts");
  // Tables go together, everything else is one answer at a time.
  exclude(json, {canonical});
  exclude(csv, {canonical, json});
  exclude(count, {canonical, json, csv});
  for (CLI::Option* const table : {types, streams, header}) exclude(table, {canonical, csv, count});
  CLI::Option* const utc = flag("--utc", &options->utc, "times of day instead of times since the start");
  exclude(utc, {canonical, count});
  CLI::Option* const relative = flag("--relative", &options->relative, "times since the line before");
  exclude(relative, {utc, canonical, json, csv, count});
  CLI::Option* const color = add_color(app);
  exclude(color, {canonical, json, csv, count});
  CLI::Option* const limit = app.add_option("-n,--limit", options->limit, "stop after this many events of each trace")
                                 ->check(is_number("a number of events"))
                                 ->type_name("N");
  options->selection.add_options(app);
  options->reading.add_options(app);
  add_printing(app);
  add_quiet(app);
  // Tables are of all that a trace declares.
  for (CLI::Option* const table : {types, streams, header}) {
    exclude(table, {utc, relative, limit});
    for (const char* const name : {"--from", "--to", "--stream", "--event", "--where"}) {
      exclude(table, {app.get_option(name)});
    }
  }
  app.footer(where_help() +
             "\n\n"
             "Examples: evt dump app.evt | head\n"
             "          evt dump --event 'gc.*' --from=-2s app.evt\n"
             "          evt dump --json --where 'size>=1000' app.evt | jq .fields\n"
             "          evt dump --json --streams app.evt | jq 'select(.lost > 0)'\n\n"
             "Exit status: 0 all was read; 1 the trace is damaged or truncated, the rest was printed, or a filter\n"
             "names nothing that is there, or a time outside; 2 wrong usage; 3 no trace could be read, or the\n"
             "output not written.");
}

}  // namespace evt::tools
