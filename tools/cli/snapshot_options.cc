#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "base/help_text.h"
#include "base/output_format.h"
#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {
namespace {

// The options that say which part it is.
std::string part_of(const SnapshotArguments& options) {
  std::string words = options.last.empty() ? "" : " --last " + options.last;
  for (const std::string& event : options.trigger.events) words += " --when " + event;
  for (const std::string& event : options.selection.events) words += " --event " + event;
  return words.empty() ? "" : words.substr(1);
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<SnapshotArguments>& options) {
  app.add_option("input", options->input,
                 "the program: pid:1234, its session as evt list prints it, or the file that it writes")
      ->required();
  CLI::Option* const output =
      app.add_option("-o,--output", options->output,
                     "write the snapshot to this file (.evt); %n is the next number, %p the process, %t the time;\n"
                     "- is standard output")
          ->type_name("FILE")
          ->required();
  CLI::Option* const follow =
      app.add_flag("--follow", options->follow,
                   "send the trace as it grows, until the program ends, to - or to evt collect: -o unix:PATH");
  const auto take_last = [options](const std::string& text) {
    const auto length = parse_length(text);
    if (!length || *length <= 0) return false;
    options->last = text;
    options->selection.from = TimeSpec{TimeSpec::From::kEnd, -*length, "-" + text};
    return true;
  };
  add_parsed(app, "--last", take_last, "a time like 30s")
      ->description("include only this much time before the end, and the state at its start")
      ->type_name("TIME");
  repeatable(app.add_option("-e,--event", options->selection.events,
                            "include only event types with this name (may be repeated)"))
      ->type_name("GLOB");
  CLI::Option* const when = repeatable(app.add_option(
      "--when", options->trigger.events, "wait, and take a snapshot at each event of this type (may be repeated)"));
  when->type_name("GLOB")->excludes("--last");
  const auto add_conditions = [options](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) throw_unless_ok("--where", options->trigger.where.add(text));
  };
  repeatable(app.add_option_function<std::vector<std::string>>("-w,--where", add_conditions))
      ->description("with --when: only if the event matches: 'ms>500' (may be repeated: all must match)")
      ->type_name("CONDITION")
      ->needs(when);
  const auto add_length = [&](const char* name, std::int64_t* ns, const char* what) {
    add_parsed(
        app, name,
        [options, ns](const std::string& text) {
          const auto length = parse_length(text);
          if (length) *ns = *length;
          return length && *length >= 0;
        },
        "a time like 30s")
        ->description(what)
        ->type_name("TIME")
        ->needs(when);
  };
  add_length("--before", &options->before_ns, "begin this long before the event (default: 10s)");
  add_length("--after", &options->after_ns, "end this long after the event (default: 0s)");
  add_length("--rearm", &options->rearm_ns,
             "wait at least this long after a snapshot before taking the next (default: 60s)");
  app.add_option("--most", options->most, "end after this many snapshots (default: 10)")
      ->type_name("N")
      ->check(is_number("a number of snapshots"))
      ->needs(when);
  follow->excludes("--last")->excludes("--event")->excludes(when);
  app.footer(help_text("evt-snapshot"));
  add_reading(app, &options->reading);
  follow->excludes("--no-rings");
  add_color(app);
  add_quiet(app);
  app.parse_complete_callback([options, output, when] {
    if (options->follow) {
      refuse_if(options->output != "-" && !options->output.starts_with("unix:"), output->get_name(),
                "with --follow: expected - or unix:PATH, found " + options->output);
      return;
    }
    options->what = part_of(*options);
    throw_unless_ok(output->get_name(), check_trace_name(options->output));
    const bool may_be_several = when->count() > 0 && options->most != 1;
    refuse_if(may_be_several && options->output.find("%n") == std::string::npos, output->get_name(),
              "several snapshots need several names: write %n where the number goes");
  });
}

}  // namespace evt::tools
