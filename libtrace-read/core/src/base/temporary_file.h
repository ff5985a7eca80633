// Where what has no room in memory goes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace evt {

// An unlinked temporary file, -1 with errno set when there is none to be had.
int temporary_file();

// False, with errno set, when not all of it was written.
bool write_fully(int fd, const std::byte* bytes, std::size_t size);

// Bytes that stay free in the file system of the file, for other programs: 1 GiB, or a sixteenth of it if that is less.
std::uint64_t kept_free(int fd);
// Whether `kept` bytes are free when `size` more are in the file.
bool leaves_free(int fd, std::uint64_t kept, std::uint64_t size);

}  // namespace evt
