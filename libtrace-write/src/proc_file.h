// Reads small files that the system generates when they are read: /proc.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstddef>

namespace evt {

// Reads the beginning of the file and appends a NUL. Returns the number of bytes, 0 if it cannot be read. Allocates
// nothing.
template <std::size_t size>
std::size_t read_proc_file(const char* path, char (&text)[size]) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  std::size_t at = 0;
  for (ssize_t got = 1; fd >= 0 && got > 0 && at<size - 1; at += got> 0 ? static_cast<std::size_t>(got) : 0) {
    got = read(fd, text + at, size - 1 - at);
  }
  if (fd >= 0) close(fd);
  text[at] = '\0';
  return at;
}

}  // namespace evt
