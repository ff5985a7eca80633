// What the command says of itself to others: manual pages and shell completion, made from its options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace evt::tools {

// The page of a command, in the man macros; `name` as it is typed: "evt dump".
std::string manual_page(const CLI::App& command, const std::string& name);

// For bash: subcommands, options, and files after them.
std::string bash_completion(const CLI::App& evt);

}  // namespace evt::tools
