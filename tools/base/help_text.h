// Texts of help that are files of their own.
#pragma once

#include <string>
#include <string_view>

namespace evt::tools {

// What the file `help/NAME.txt` has; empty if there is none. Of a command (`evt-cut`) that is what is below its
// options; of an analysis (`calls`) what the descriptions of its columns do not say; `calls.example` is a command line
// and its output.
std::string help_text(std::string_view name);

}  // namespace evt::tools
