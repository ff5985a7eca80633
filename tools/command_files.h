// Which files a command may be given.
#pragma once

#include <string>
#include <vector>

namespace evt::tools {

// Why these files are refused; empty when they are not. The output must be none of the inputs, by whatever name or
// link: what it replaces would be gone before, or after, all of it was read. Standard input can be read once. "-" is
// standard input among the inputs, and standard output as the output.
std::string why_refused(const std::vector<std::string>& inputs, const std::string& output);

}  // namespace evt::tools
