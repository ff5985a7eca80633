// Files that an installation has beside its programs.
#pragma once

#include <string>

namespace evt::record {

// The path of one, whole: beside this program, as it is built, or in `folder`, which counts from there. Empty if there
// is none that this process may access in this way (R_OK, X_OK).
std::string installed_file(const std::string& folder, const std::string& name, int access_mode);

}  // namespace evt::record
