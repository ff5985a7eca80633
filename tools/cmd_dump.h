// evt dump, also known as tracedump: a trace as text.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

// Adds the subcommand; what it is asked to do runs by the function that is returned, which gives the exit status.
std::function<int()> add_dump(CLI::App& app);

}  // namespace evt::tools
