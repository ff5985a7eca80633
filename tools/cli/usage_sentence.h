// What CLI11 found wrong with a command line, in sentences of the house.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace evt::tools {

// What was found, what was expected. `app` has read the command line as far as the error. It may hold words of the
// command line as they are.
std::string usage_sentence(const CLI::App& app, const CLI::Error& error);

// evt, or evt dump: the name that messages have.
std::string messages_of(const CLI::App& app);

}  // namespace evt::tools
