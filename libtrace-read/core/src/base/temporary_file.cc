#include "temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace evt {
namespace {

constexpr std::uint64_t kMostKept = 1 << 30;
constexpr std::uint64_t kShareKept = 16;

}  // namespace

int temporary_file() {
  const char* const folder = getenv("TMPDIR");
  std::string path = std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") + "/evtrace-XXXXXX";
  const int fd = mkostemp(path.data(), O_CLOEXEC);
  if (fd >= 0) unlink(path.c_str());
  return fd;
}

bool write_fully(int fd, const std::byte* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

std::uint64_t kept_free(int fd) {
  struct statvfs facts;
  if (fstatvfs(fd, &facts) != 0) return 0;
  return std::min<std::uint64_t>(kMostKept, std::uint64_t{facts.f_blocks} * facts.f_frsize / kShareKept);
}

bool leaves_free(int fd, std::uint64_t kept, std::uint64_t size) {
  struct statvfs facts;
  // A tmpfs without a limit has no blocks.
  if (fstatvfs(fd, &facts) != 0 || facts.f_blocks == 0) return true;
  return std::uint64_t{facts.f_bavail} * facts.f_frsize >= kept + size;
}

}  // namespace evt
