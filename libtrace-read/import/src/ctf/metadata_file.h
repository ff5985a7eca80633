// A file `metadata` of a CTF trace, of either version, and the parsers of both.
#pragma once

#include <evt/status.h>

#include "metadata.h"

namespace evt::ctf {

constexpr std::size_t kMaxMetadata = 16 << 20;  // bytes of the file

// Reads text, text in packets, or JSON. The error says where it is wrong and why.
Result<Metadata> read_metadata(std::string_view file);

// Metadata of CTF 2: consecutive JSON texts (RFC 7464). Errors: what is wrong, and the number of the fragment that it
// is in.
Result<Metadata> parse_ctf2(std::string_view text);

// Metadata of CTF 1.8, which is TSDL. Errors: what is wrong, and the line that it is in.
Result<Metadata> parse_tsdl(std::string_view text);

}  // namespace evt::ctf
