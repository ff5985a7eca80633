// CTF traces in and below a folder, read by libbabeltrace2's own components.
#pragma once

#include <string>

#include "ctf_messages.h"

namespace evt::ctf {

// Reads all of them, in order of time; of the file of a stream that one alone. Empty, or why that could not be done.
std::string read_trace(const std::string& path, CtfMessages* messages);

}  // namespace evt::ctf
