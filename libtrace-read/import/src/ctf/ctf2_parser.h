// Metadata of CTF 2: JSON texts, one behind the other (RFC 7464).
#pragma once

#include <evt/status.h>

#include "metadata.h"

namespace evt::ctf {

// Errors: what is wrong, and the number of the fragment that it is in.
Result<Metadata> parse_ctf2(std::string_view text);

}  // namespace evt::ctf
