// Where what has no room in memory goes.
#pragma once

#include <cstddef>

namespace evt {

// An unlinked temporary file, -1 with errno set when there is none to be had.
int temporary_file();

// False, with errno set, when not all of it was written.
bool write_fully(int fd, const std::byte* bytes, std::size_t size);

}  // namespace evt
