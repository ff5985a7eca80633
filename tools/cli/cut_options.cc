#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "base/help_text.h"
#include "base/output_format.h"
#include "cli/command_options.h"
#include "cli/common_options.h"
#include "cmd/sample.h"

namespace evt::tools {
namespace {

// Whose values name programs, machines or users.
bool names_somebody(const CLI::Option& option) {
  return option.check_lname("part") || option.check_lname("thread") || option.check_lname("process");
}

// What the part has nothing of: files, and how the command prints.
bool is_of_part(const CLI::Option& option) {
  return !option.get_lnames().empty() && !option.check_lname("output") && !option.check_lname("quiet") &&
         !option.check_lname("color");
}

// The options as they were given, of an anonymous part without such values.
std::string words_of(const CLI::App& app, bool anonymous) {
  std::string words;
  for (const CLI::Option* const option : app.get_options()) {
    if (option->count() == 0 || !is_of_part(*option)) continue;
    const bool has_value = option->get_items_expected_max() > 0 && !(anonymous && names_somebody(*option));
    for (const std::string& value : has_value ? option->results() : std::vector<std::string>{""}) {
      words += (words.empty() ? "--" : " --") + option->get_lnames().front() + (has_value ? " " + value : "");
    }
  }
  return words;
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<CutArguments>& options) {
  app.add_option("input", options->input, "the trace; - is standard input")->required();
  CLI::Option* const output =
      app.add_option("-o,--output", options->output, "write the part to this file (.evt); - is standard output")
          ->type_name("FILE")
          ->required();
  add_selection(app, &options->selection, Fields::kNone);
  repeatable(app.add_option("--part", options->parts, "include only this input of a merged trace (may be repeated)"))
      ->type_name("GLOB");
  app.add_option("--every", options->every,
                 "keep every Nth event of each stream and type (100), or at most one in each period (10ms)")
      ->type_name("N|TIME")
      ->check([](const std::string& text) {
        return Sample::parse(text) ? ""
                                   : fmt::format("expected a number of events or a time like 10ms, found {}", text);
      });
  app.add_flag("--no-state", options->no_state, "leave out what was recorded before --from and after --to");
  app.add_flag("--anonymous", options->anonymous,
               "leave out what identifies the program, its user and its machine: command line, process, host,\n"
               "boot, and the functions and files of stacks; keep other events and strings");
  CLI::Option* const columns = app.add_flag("--columns", options->columns, "store events compressed");
  app.add_flag("--rows", options->rows, "store events as they were recorded")->excludes(columns);
  const auto take_size = [options](const std::string& text) {
    return (options->split_size = parse_size(text)).has_value();
  };
  CLI::Option* const by_size =
      add_parsed(app, "--split-size", take_size, kSizeForms)
          ->description("write several files of about this size: out.0001.evt, out.0002.evt, ...")
          ->type_name("BYTES");
  const auto take_length = [options](const std::string& text) {
    options->split_every = parse_length(text);
    return options->split_every && *options->split_every > 0;
  };
  add_parsed(app, "--split-every", take_length, "a time like 10s")
      ->description("write several files, each covering this much time")
      ->type_name("TIME")
      ->excludes(by_size);
  app.footer(help_text("evt-cut"));
  add_reading(app, &options->reading);
  add_color(app);
  add_quiet(app);
  app.parse_complete_callback([&app, options, output] {
    options->what = words_of(app, options->anonymous);
    const bool split = options->split_size || options->split_every;
    if (split && options->output == "-") throw CLI::ValidationError(output->get_name(), "several files need a name");
    throw_unless_ok(output->get_name(), check_trace_name(options->output));
  });
}

}  // namespace evt::tools
