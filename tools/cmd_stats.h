// evt stats: what a trace says, in numbers.
#pragma once

#include <functional>

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

// Adds the options; what it gives runs them, and has the exit status.
std::function<int()> add_stats(CLI::App& app);

}  // namespace evt::tools
