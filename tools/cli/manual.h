// Manual pages, made from the options of the command.
#pragma once

#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace evt::tools {

// The page of a command, in the man macros; `name` as it is typed: "evt dump".
std::string manual_page(const CLI::App& command, const std::string& name);

}  // namespace evt::tools
