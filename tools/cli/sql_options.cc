#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/help_text.h"
#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {
namespace {

// A query has spaces in it, or a semicolon behind it, and is no name of a file.
bool is_query(const std::string& word) {
  return word.find_first_of(" \t\r\n;") != word.npos && access(word.c_str(), F_OK) != 0;
}

void set_words(SqlArguments* options) {
  options->files = options->words;
  if (!options->files.empty() && is_query(options->files.back())) {
    options->query = options->files.back();
    options->files.pop_back();
  }
  const bool reads_input = std::ranges::find(options->files, "-") != options->files.end();
  refuse_if(reads_input && !options->query, "words", "expected a query, because standard input is a trace");
}

void set_format(SqlArguments* options) {
  options->format = options->json ? OutputFormat::kJson : options->csv ? OutputFormat::kCsv : OutputFormat::kText;
  if (options->output == "-") return;
  const auto format = format_by_suffix(options->output);
  const bool is_known = format && (*format == OutputFormat::kParquet || *format == OutputFormat::kCsv ||
                                   may_be(OutputFormat::kJson, options->output));
  refuse_if(!is_known, "--output",
            fmt::format("expected a name that ends in .parquet, .csv or .json, found {}", options->output));
  if (!options->query) throw CLI::ValidationError("--output", "expected a query with it");
  options->format = *format == OutputFormat::kParquet || *format == OutputFormat::kCsv ? *format : OutputFormat::kJson;
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<SqlArguments>& options) {
  app.add_option("words", options->words,
                 "traces, if any (- is standard input), then the query, quoted as a single argument; without a query,\n"
                 "statements are read from standard input, on a terminal with a prompt")
      ->type_name("[FILE...] [QUERY]");
  CLI::Option* const json =
      app.add_flag("-j,--json", options->json, "print an array of objects per query, one object per line");
  CLI::Option* const csv =
      app.add_flag("--csv", options->csv, "print CSV, with an empty line between results")->excludes(json);
  add_markdown(app);
  app.add_option("-o,--output", options->output, "write the query's rows to this file: .parquet, .csv or .json")
      ->type_name("FILE")
      ->excludes(json)
      ->excludes(csv)
      ->excludes(app.get_option("--markdown"));
  add_times(app, &options->selection);
  add_reading(app, &options->reading);
  add_color(app);
  add_wide(app);
  add_quiet(app);
  app.add_flag("--views", options->views, "print the SQL of the built-in views, and exit");
  app.footer(help_text("evt-sql"));
  app.parse_complete_callback([options] {
    set_words(options.get());
    set_format(options.get());
  });
}

}  // namespace evt::tools
