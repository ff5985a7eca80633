// What a shell is to know of the command, made from the command itself.
#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

// Scripts that complete the command line of evt, whose subcommands these are, and of tracedump.
std::string bash_completion(const CLI::App& evt);
// For `source`, or as a file _evt in a folder of zsh's fpath.
std::string zsh_completion(const CLI::App& evt);

}  // namespace evt::tools
