// evt merge: several traces -> one.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace evt::tools {

// Declares the options; what it gives runs the subcommand with them and gives the exit status.
std::function<int()> add_merge(CLI::App& app);

}  // namespace evt::tools
