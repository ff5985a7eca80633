#include "private_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

namespace evt {

Result<int> open_private_file(const std::string& path, std::uint32_t owner, struct stat* facts) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return Status(Code::kIo, errno == ELOOP ? "it is a symbolic link" : ::strerror(errno));
  const bool is_known = ::fstat(fd, facts) == 0;
  // Not of another user, though root may read all.
  const bool is_ours = is_known && (facts->st_uid == ::geteuid() || (::geteuid() == 0 && facts->st_uid == owner));
  if (is_ours && S_ISREG(facts->st_mode) && (facts->st_mode & 07777) == 0600) return fd;
  ::close(fd);
  return Status(Code::kInvalid, is_known && !is_ours ? "it is another user's" : "it is no regular file of mode 0600");
}

}  // namespace evt
