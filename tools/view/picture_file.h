// A picture in a file of the format that its name has.
#pragma once

#include <evt/status.h>

#include <string>

#include "base/output_mode.h"

namespace evt::tools {

// An error if it is none of .svg, .pdf and .png.
Status check_picture_name(const std::string& path);
// Replaces what is there when it is complete.
Status write_picture(const std::string& path, const OutputMode& mode, const std::string& svg);

}  // namespace evt::tools
