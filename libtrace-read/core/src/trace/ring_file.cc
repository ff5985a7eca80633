#include "ring_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace evt {
namespace {

constexpr int kTriesToLock = 5;
constexpr timespec kBetweenTries = {0, 2'000'000};

// The writer holds an exclusive lock as long as it lives, whatever becomes of its number. A writer that starts may hold
// one for a moment.
bool lock_shared(int fd) {
  for (int i = 1; ::flock(fd, LOCK_SH | LOCK_NB) != 0; ++i) {
    if (i == kTriesToLock) return false;
    ::nanosleep(&kBetweenTries, nullptr);
  }
  return true;
}

bool is_regular_and_ours(int fd) {
  struct stat status;
  return ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
}

bool has_a_name(int fd) {
  struct stat status;
  return ::fstat(fd, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

RingFile::RingFile(int fd, std::string path)
    : fd_(fd), path_(std::move(path)), live_(!lock_shared(fd)), recovery_({&RingFile::read, this}) {}

RingFile::~RingFile() { ::close(fd_); }

void RingFile::unlock() { ::flock(fd_, LOCK_UN); }

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

bool RingFile::belongs_to(const FileIdentity& file) const {
  const ring::Header& header = recovery_.header();
  return header.output_inode != 0 && file == FileIdentity{header.output_device, header.output_inode};
}

std::string RingFile::trace() const {
  const char* const path = recovery_.header().output;
  struct stat status;
  const bool is_there = *path != '\0' && ::stat(path, &status) == 0 && belongs_to({status.st_dev, status.st_ino});
  return is_there ? path : "";
}

std::unique_ptr<RingFile> RingFile::find(const std::string& name, std::uint64_t session_id) {
  // The name comes from a file: it must not lead anywhere else.
  const bool plain = name.starts_with(ring::kNamePrefix) && name.find('/') == std::string::npos && name.size() < 128;
  if (!plain || name.find('\0') != std::string::npos) return nullptr;
  std::string path = std::string(ring::kFolder) + "/" + name;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return nullptr;
  if (!is_regular_and_ours(fd)) {
    ::close(fd);
    return nullptr;
  }
  std::unique_ptr<RingFile> found(new RingFile(fd, std::move(path)));
  // Without a name it was put into its trace, or its session was closed, before it could be locked.
  if (!has_a_name(fd) || !found->recovery_.open() || found->recovery_.session_id() != session_id) return nullptr;
  return found;
}

}  // namespace evt
