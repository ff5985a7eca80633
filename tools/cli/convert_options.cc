#include "cli/convert_options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "near_names.h"

namespace evt::tools {
namespace {

// What the output's name and --to say together, or why they cannot be.
void set_format(ConvertArguments* options) {
  if (!options->to.empty()) options->format = format_called(options->to);
  if (options->output != "-" && !suffix_of(options->output).empty()) {
    const auto by_suffix = format_by_suffix(options->output);
    if (!by_suffix && !options->format) {
      throw CLI::ValidationError(
          "--output", "expected a name that ends in .evt, .txt, .json or .csv, or --to, found " + options->output);
    }
    if (by_suffix && options->format && by_suffix != options->format) {
      throw CLI::ValidationError("--to", fmt::format("{} is no name for what is {}", options->output, options->to));
    }
    if (by_suffix) options->format = by_suffix;
  }
  if (options->format.value_or(OutputFormat::kTrace) == OutputFormat::kTrace) return;
  for (const auto& [name, is_given] : {std::pair("--columns", options->columns), std::pair("--rows", options->rows)}) {
    if (is_given) throw CLI::ValidationError(name, "is for an output that is a trace");
  }
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<ConvertArguments>& options) {
  app.add_option("input", options->input, "a trace, the text form of one, or a GHC eventlog; - is standard input")
      ->required();
  app.add_option("-o,--output", options->output,
                 "where the other form goes; the suffix chooses it: .evt, .txt, .json or .csv;\n"
                 "- is standard output")
      ->type_name("FILE");
  app.add_option("--to", options->to, "the form, of standard output or a name with another suffix")
      ->type_name(kFormatNames)
      ->check([](const std::string& name) {
        return format_called(name) ? ""
                                   : fmt::format("expected one of evt, text, json and csv, found {}{}", name,
                                                 did_you_mean(name, {"evt", "text", "json", "csv"}));
      });
  auto* const columns = app.add_flag("--columns", options->columns, "a trace becomes a smaller one: compressed");
  app.add_flag("--rows", options->rows, "a trace becomes one whose events are stored as they were recorded")
      ->excludes(columns);
  options->reading.add_options(app);
  app.footer(
      "Where neither the suffix nor --to chooses, a text becomes a trace, a trace becomes text, and a GHC\n"
      "eventlog a trace. A trace or an eventlog that becomes a trace (.evt) has the same events, compressed unless "
      "--rows\n"
      "is given. JSON and CSV are those of evt dump. The output may not be the input.\n"
      "Example: evt convert case.txt -o case.evt\n"
      "         evt convert app.evt -o app.csv\n"
      "         evt convert app.eventlog -o app.evt\n"
      "         evt convert --columns app.evt -o small.evt\n\n"
      "Exit status: 0 all was converted; 1 the trace is damaged or truncated, the rest was converted;\n"
      "2 wrong usage, such as the input as output; 3 nothing could be read, or the output not written.");
  app.parse_complete_callback([options] { set_format(options.get()); });
}

}  // namespace evt::tools
