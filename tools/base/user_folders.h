// Folders of the user's own, by the XDG Base Directory Specification; empty if the user has none.
#pragma once

#include <string>

namespace evt::tools {

// Where what is computed of traces is kept for another time.
std::string cache_folder();
// Where what the user did is kept.
std::string state_folder();
// Makes it, if it is not there, for the user alone. Whether it is there.
bool make_private_folder(const std::string& folder);

}  // namespace evt::tools
