// Commands that are about evt itself: evt help, and evt complete, which the scripts of shells call.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace evt::tools {

// Prints a text about evt, through a pager where a terminal is; the exit status.
int print_text(const std::string& text);

// Lists `evt help` among the commands.
void add_help(CLI::App& evt);

// These refer to evt with all options of all its subcommands. `words` are those behind the command.
int run_help(const CLI::App& evt, const std::vector<std::string>& words);
int run_complete(const CLI::App& evt, const std::vector<std::string>& words);

}  // namespace evt::tools
