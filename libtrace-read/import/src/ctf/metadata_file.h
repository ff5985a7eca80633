// A file `metadata` of a CTF trace, of either version.
#pragma once

#include <evt/status.h>

#include "metadata.h"

namespace evt::ctf {

constexpr std::size_t kMaxMetadata = 16 << 20;  // bytes of the file

// Of text, text in packets, or JSON. The error says where it is wrong and why.
Result<Metadata> read_metadata(std::string_view file);

}  // namespace evt::ctf
