// Temporary files for data that does not fit in memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace evt {

// An unlinked temporary file, or -1 with errno set.
int temporary_file();

// Returns false, with errno set, if not all of it was written.
bool write_fully(int fd, const std::byte* bytes, std::size_t size);

// Bytes that must stay free in the file's file system, for other programs: 1 GiB, or a sixteenth of it if that is less.
std::uint64_t kept_free(int fd);
// True if `kept` bytes are still free when `size` more are in the file.
bool leaves_free(int fd, std::uint64_t kept, std::uint64_t size);

}  // namespace evt
