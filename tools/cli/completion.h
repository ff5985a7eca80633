// Scripts that complete the command line of evt and tracedump in shells, by what `evt complete` answers.
#pragma once

#include <string>
#include <vector>

namespace evt::tools {

// Shells for which there is a script: bash, zsh, fish.
std::vector<std::string> completed_shells();

// REQUIRES: it is one of them.
std::string completion_script(const std::string& shell);

}  // namespace evt::tools
