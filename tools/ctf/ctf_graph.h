// CTF traces below a folder, read by libbabeltrace2's own components.
#pragma once

#include <string>

#include "ctf_messages.h"

namespace evt::ctf {

// Reads all of them, in order of time. Empty, or why that could not be done.
std::string read_folder(const std::string& folder, CtfMessages* messages);

}  // namespace evt::ctf
