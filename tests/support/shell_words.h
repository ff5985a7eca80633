// The words of a command line that needs no shell.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace evt::testing {

// Splits a line at its blanks, as a shell does; quotes keep what they enclose. Returns nothing if the line has other
// syntax, which only a shell understands.
std::optional<std::vector<std::string>> shell_words(std::string_view line);

}  // namespace evt::testing
