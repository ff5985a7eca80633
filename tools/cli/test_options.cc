#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "base/help_text.h"
#include "cli/command_options.h"
#include "cli/common_options.h"

namespace evt::tools {
namespace {

// It compares something and is no name of a file.
bool is_assertion(const std::string& word) {
  return word.find_first_of("=<>~!") != word.npos && access(word.c_str(), F_OK) != 0;
}

// Those in a file, without empty lines and those that begin with #.
void add_lines(const std::string& path, std::vector<std::string>* assertions) {
  std::ifstream file(path);
  refuse_if(!file, "--assertions", "cannot read " + path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos || line[first] == '#') continue;
    assertions->push_back(line.substr(first, line.find_last_not_of(" \t\r") + 1 - first));
  }
  refuse_if(file.bad(), "--assertions", "cannot read " + path);
}

void set_words(TestArguments* options) {
  for (const std::string& path : options->from_files) add_lines(path, &options->assertions);
  for (const std::string& word : options->words) {
    (is_assertion(word) ? options->assertions : options->files).push_back(word);
  }
  refuse_if(options->assertions.empty(), "words", "expected an assertion such as 'lost == 0', found none");
  refuse_if(options->files.empty(), "words", "expected a trace after the assertions, found none");
}

}  // namespace

void add_options(CLI::App& app, const std::shared_ptr<TestArguments>& options) {
  app.add_option("words", options->words,
                 "the assertions, each quoted as a single argument, then the traces; - is standard input")
      ->type_name("ASSERTION... FILE...")
      ->required();
  repeatable(app.add_option("--assertions", options->from_files,
                            "read assertions from this file, one per line; # begins a comment line (may be repeated)"))
      ->type_name("FILE");
  app.add_option("--junit", options->junit, "also write a report in JUnit XML")->type_name("FILE");
  CLI::Option* const json =
      add_json_options(app, &options->json, &options->json_safe, "print one JSON object per trace instead of a table");
  app.add_flag("--csv", options->csv, "print CSV instead of a table")->excludes(json);
  add_markdown(app);
  add_selection(app, &options->selection);
  add_reading(app, &options->reading);
  add_color(app);
  add_wide(app);
  add_quiet(app);
  app.footer(help_text("evt-test"));
  app.parse_complete_callback([options] { set_words(options.get()); });
}

}  // namespace evt::tools
