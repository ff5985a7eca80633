#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "base/help_text.h"
#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {
namespace {

bool take_number(const std::string& text, std::uint64_t most, std::uint64_t* number) {
  if (!is_number("a number")(text).empty()) return false;
  *number = std::stoull(text);
  return *number >= 1 && *number <= most;
}

void check(const WhyArguments& options, bool chooses_one) {
  refuse_if(options.asked.name.empty() && chooses_one, "name",
            "expected the name of a span or call with --nth, --at, --median, --p99 and --slow");
  refuse_if(options.what_ifs.size() > WhatIfs::kMost, "--what-if",
            fmt::format("expected {} at most, found {}", WhatIfs::kMost, options.what_ifs.size()));
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<WhyArguments>& options) {
  app.add_option("file", options->file, "the trace, or pid:N of a running program; - is standard input")->required();
  app.add_option("name", options->asked.name, "explain the slowest span or call of this name or pattern");
  app.add_option("--thread", options->asked.thread,
                 "explain only what this thread did; without a name, all of its time")
      ->type_name("NAME");
  add_times(app, &options->range);
  CLI::Option* const nth =
      add_parsed(
          app, "--nth",
          [options](const std::string& text) { return take_number(text, WhySearch::kMostNth, &options->asked.nth); },
          fmt::format("1 to {}", WhySearch::kMostNth))
          ->description("explain the Nth slowest one")
          ->type_name("N");
  CLI::Option* const at =
      add_parsed(
          app, "--at", [options](const std::string& text) { return (options->at = TimeSpec::parse(text)).has_value(); },
          TimeSpec::kForms)
          ->description("explain the one in progress at this time")
          ->type_name("TIME")
          ->excludes(nth);
  CLI::Option* const median =
      app.add_flag_callback(
             "--median", [options] { options->asked.percent = 50; }, "explain one of median duration")
          ->excludes(nth)
          ->excludes(at);
  CLI::Option* const p99 =
      app.add_flag_callback(
             "--p99", [options] { options->asked.percent = 99; }, "explain one at the 99th percentile")
          ->excludes(nth)
          ->excludes(at)
          ->excludes(median);
  CLI::Option* const slow =
      app.add_flag("--slow", options->asked.slow, "compare the slowest 1 % with those of median duration")
          ->excludes(nth)
          ->excludes(at)
          ->excludes(median)
          ->excludes(p99);
  const auto take_what_if = [options](const std::string& text) {
    const std::optional<WhatIf> what_if = WhatIf::parse(text);
    if (what_if) options->what_ifs.push_back(*what_if);
    return what_if.has_value();
  };
  add_each_parsed(app, "--what-if", take_what_if, WhatIf::kForms)
      ->description("show how much sooner it could have ended if this part took less time (may be repeated)")
      ->type_name("PART=TIME")
      ->excludes(slow);
  add_parsed(
      app, "--depth",
      [options](const std::string& text) {
        std::uint64_t depth = 0;
        const bool is_right = take_number(text, UINT32_MAX, &depth);
        options->depth = depth;
        return is_right;
      },
      "a number of levels")
      ->description("print only this many levels of causes")
      ->type_name("N");
  CLI::Option* const json =
      add_json_options(app, &options->json, &options->json_safe, "print a JSON object instead of a table; times in ns");
  app.add_flag("--csv", options->csv, "print CSV instead of a table")->excludes(json);
  add_markdown(app);
  add_reading(app, &options->reading);
  add_color(app);
  add_printing(app);
  add_quiet(app);
  app.footer(help_text("evt-why"));
  app.parse_complete_callback(
      [=] { check(*options, nth->count() + at->count() + median->count() + p99->count() + slow->count() > 0); });
}

}  // namespace evt::tools
