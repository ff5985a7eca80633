// Whether text on standard output is to have colours.
#pragma once

#include <string>

namespace evt::tools {

// `when`: auto, always or never. By itself on a terminal that can, if the environment has no NO_COLOR.
bool wants_color(const std::string& when);

}  // namespace evt::tools
