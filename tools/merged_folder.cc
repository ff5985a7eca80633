#include "merged_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libtrace-record/collect/session_folder.h"
#include "memory_limit.h"

namespace evt::tools {
namespace {

int unlinked_file() {
  const char* const wanted = getenv("TMPDIR");
  const std::string folder = wanted != nullptr && *wanted == '/' ? wanted : "/tmp";
  const int fd = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string path = folder + "/evt-XXXXXX";
  const int named = mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) unlink(path.c_str());
  return named;
}

// 0, or an errno.
int write_all(int fd, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t size = write(fd, bytes.data(), bytes.size());
    if (size < 0 && errno != EINTR) return errno;
    if (size > 0) bytes = bytes.subspan(static_cast<std::size_t>(size));
  }
  return 0;
}

}  // namespace

Result<int> open_merged_folder(const std::string& folder) {
  const int fd = unlinked_file();
  if (fd < 0)
    return Status(Code::kIo, fmt::format("{}: no temporary file for its sessions: {}", folder, strerror(errno)));
  const auto merged = record::merge_folder(folder, [fd](Bytes bytes) { return write_all(fd, bytes); });
  struct stat facts;
  if (!merged || fstat(fd, &facts) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
    close(fd);
    return merged ? Status(Code::kIo, fmt::format("{}: {}", folder, strerror(errno))) : merged.status();
  }
  MemoryLimit::allow_for(static_cast<std::uint64_t>(facts.st_size));
  return fd;
}

}  // namespace evt::tools
