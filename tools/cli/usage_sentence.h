// What is wrong with a command line, by CLI11 and before it, in sentences of the house.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace evt::tools {

// What is wrong with the first empty word behind a command, before a word that is --, or with one like -5, which CLI11
// takes for a number; empty: nothing. A shell makes empty words of variables that are not set. Texts, patterns and
// conditions may be empty. `command` has its options.
std::string about_wrong_word(const CLI::App& command, const std::vector<std::string>& words);

// What is in the place of a command of evt's and is none.
std::string about_command(const CLI::App& evt, const std::string& word);

// What was found, what was expected. `app` has read the command line as far as the error. It may hold words of the
// command line as they are.
std::string usage_sentence(const CLI::App& app, const CLI::Error& error);

// evt, or evt dump: the name that messages have.
std::string messages_of(const CLI::App& app);

}  // namespace evt::tools
