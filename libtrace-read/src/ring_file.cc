#include "ring_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace evt {

RingFile::RingFile(int fd, std::string path) : fd_(fd), path_(std::move(path)), recovery_({&RingFile::read, this}) {
  // The writer holds the lock as long as it lives, whatever becomes of its number.
  if (::flock(fd_, LOCK_SH | LOCK_NB) == 0) {
    ::flock(fd_, LOCK_UN);
  } else {
    live_ = true;
  }
}

RingFile::~RingFile() { ::close(fd_); }

std::size_t RingFile::read(void* self, std::uint64_t offset, void* out, std::size_t size) {
  const int fd = static_cast<RingFile*>(self)->fd_;
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::pread(fd, static_cast<char*>(out) + done, size - done, static_cast<off_t>(offset + done));
    if (n > 0) {
      done += static_cast<std::size_t>(n);
    } else if (n == 0 || errno != EINTR) {
      break;
    }
  }
  return done;
}

std::string RingFile::trace() const {
  const ring::Header& header = recovery_.header();
  struct stat status;
  if (header.output[0] == '\0' || ::stat(header.output, &status) != 0) return "";
  return status.st_dev == header.output_device && status.st_ino == header.output_inode ? header.output : "";
}

std::unique_ptr<RingFile> RingFile::find(const std::string& name, std::uint64_t session_id) {
  // The name comes from a file: it must not lead anywhere else.
  const bool plain = name.starts_with(ring::kNamePrefix) && name.find('/') == std::string::npos && name.size() < 128;
  if (!plain || name.find('\0') != std::string::npos) return nullptr;
  std::string path = std::string(ring::kFolder) + "/" + name;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return nullptr;
  struct stat status;
  const bool ours = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
  std::unique_ptr<RingFile> found(new RingFile(fd, std::move(path)));
  if (!ours || !found->recovery_.open() || found->recovery_.session_id() != session_id || !found->recovery_.take()) {
    return nullptr;
  }
  return found;
}

}  // namespace evt
