// What users must know of the language of conditions: for the help of commands and their manual pages.
#pragma once

#include <string>

namespace evt::tools {

// A paragraph of a command's footer.
std::string where_help();

}  // namespace evt::tools
