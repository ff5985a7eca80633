// evt dump, also known as tracedump: a trace as text.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>

namespace evt::tools {

// Adds the subcommand; what it is asked to do runs by the function that is returned, which gives the exit status.
std::function<int()> add_dump(CLI::App& app);

}  // namespace evt::tools
