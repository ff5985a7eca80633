// Metadata of CTF 1.8, which is TSDL.
#pragma once

#include <evt/status.h>

#include "metadata.h"

namespace evt::ctf {

// Errors: what is wrong, and the line that it is in.
Result<Metadata> parse_tsdl(std::string_view text);

}  // namespace evt::ctf
