#include <CLI/CLI.hpp>

#include "base/help_text.h"
#include "cli/command_options.h"
#include "cli/common_options.h"
#include "where/where_parser.h"

namespace evt::tools {
namespace {

// Without another condition the first word is the text.
void take_text(GrepArguments* options) {
  const bool has_condition =
      !options->texts.empty() || !options->patterns.empty() || options->selection.has_conditions();
  if (has_condition) return;
  if (options->files.size() < 2) {
    throw CLI::ValidationError("expected a string and the traces to look for it in, found " + options->files.front());
  }
  options->texts.push_back(options->files.front());
  options->files.erase(options->files.begin());
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<GrepArguments>& options) {
  app.add_option("words", options->files,
                 "the string, unless --text, --pattern or --where is given; then the traces; - is standard input")
      ->required();
  repeatable(app.add_option("--text", options->texts, "find this string (may be repeated: any of them is enough)"))
      ->type_name("TEXT");
  repeatable(app.add_option("--pattern", options->patterns,
                            "find values and names that match this pattern as a whole: 'main*' (the same)"))
      ->type_name("GLOB");
  app.add_flag("-i,--ignore-case", options->ignore_case, "ignore the case of ASCII letters");
  app.add_option("--context", options->context, "also print N events before and after each")
      ->check(is_number("a number of events"))
      ->type_name("N");
  CLI::Option* const first =
      app.add_option("-n,--limit,--first", options->first, "print only the first N found events of each trace")
          ->check(is_number("a number of events"))
          ->type_name("N");
  CLI::Option* const last = app.add_option("--last", options->last, "print only the last N found events of each trace")
                                ->check(is_number("a number of events"))
                                ->type_name("N");
  last->excludes(first);
  add_event_form(app, &options->form);
  CLI::Option* const count = app.add_flag("--count", options->count, "print only the number of found events");
  for (const char* const other : options_of_events()) count->excludes(app.get_option(other));
  for (const char* const other : {"--json", "--context"}) count->excludes(app.get_option(other));
  count->excludes(last);
  add_selection(app, &options->selection);
  add_reading(app, &options->reading);
  add_printing(app);
  add_quiet(app);
  app.footer(help_text("evt-grep") + "\n" + where_help() + "\n\n" + help_text("evt-grep.examples"));
  app.parse_complete_callback([options] { take_text(options.get()); });
}

}  // namespace evt::tools
