// Empty words on a command line, which a shell makes of variables that are not set.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace evt::tools {

// What is wrong with the first empty word behind a command, before a word that is --; empty: nothing. Texts, patterns
// and conditions may be empty. `command` has its options.
std::string about_empty_word(const CLI::App& command, const std::vector<std::string>& words);

}  // namespace evt::tools
