// evt merge: several traces -> one.
#pragma once

#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

// Adds the subcommand; what it is asked to do runs by the function that is returned, which gives the exit status.
std::function<int()> add_merge(CLI::App& app);

}  // namespace evt::tools
