// Where what is computed of traces is kept for another time.
#pragma once

#include <string>

namespace evt::tools {

// The user's, by the XDG Base Directory Specification; empty if the user has none.
std::string cache_folder();

}  // namespace evt::tools
