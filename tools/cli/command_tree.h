// The commands of evt as CLI11 has them: which there are, and what their options take.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace evt::tools {

std::vector<const CLI::App*> subcommands_of(const CLI::App& app);
std::vector<std::string> subcommand_names(const CLI::App& app);
// Null when there is none.
const CLI::App* subcommand_called(const CLI::App& app, const std::string& name);
// The subcommand that the command line names, of the deepest level.
const CLI::App& deepest_chosen(const CLI::App& app);
// evt stats cpu
std::string full_name(const CLI::App& app);

// In help, manual and completion: options of hidden groups are not.
bool is_shown(const CLI::Option& option);
// The long names of the options that are shown, with their dashes.
std::vector<std::string> option_names(const CLI::App& command);
// An option's value, as help shows it: FILE, [=GLOB,...], wall|count; empty if it takes none.
std::string value_of(const CLI::Option& option);

// Of a word of a command line: --limit of --limit=5.
std::string name_in(const std::string& word);
// The option that such a word is, by its name, or the last of its letters, if it is one; else null.
const CLI::Option* option_called(const CLI::App& app, const std::string& word);
// The next word is its value.
bool takes_next(const CLI::App& app, const std::string& word);

}  // namespace evt::tools
