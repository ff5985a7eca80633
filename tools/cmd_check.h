// evt check: what a trace is worth.
#pragma once

#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

// Adds the options; the function runs the command after they were parsed, and returns the exit status.
std::function<int()> add_check(CLI::App& app);

}  // namespace evt::tools
