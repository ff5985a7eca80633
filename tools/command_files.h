// Which files a command may be given.
#pragma once

#include <evt/status.h>

#include <string>
#include <vector>

namespace evt::tools {

// An error if the output is one of the inputs, by whatever name or link, as it would be replaced before, or after, all
// of it was read; and if standard input is read twice. "-" is standard input among the inputs, and standard output as
// the output.
Status check_files(const std::vector<std::string>& inputs, const std::string& output);

}  // namespace evt::tools
