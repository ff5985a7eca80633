// Files in folders that all users share.
#pragma once

#include <evt/status.h>
#include <sys/stat.h>

#include <cstdint>
#include <string>

namespace evt {

// Opens a regular file of mode 0600 for reading; not a link. It must belong to this user or, for root, to `owner`: a
// ring or a segment contains what its user put into the trace. `facts`: of the file. Returns the descriptor.
Result<int> open_private_file(const std::string& path, std::uint32_t owner, struct stat* facts);

}  // namespace evt
