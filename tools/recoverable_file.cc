#include "recoverable_file.h"

#include <errno.h>
#include <evt/decompression.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace evt::tools {
namespace {

// Does not wait for the other end of a FIFO.
int open_at(const std::string& path, int how) {
  int fd;
  do {
    fd = ::open(path.c_str(), how | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

bool cut(int fd, off_t size) {
  int result;
  do {
    result = ::ftruncate(fd, size);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

bool write_at(int fd, off_t at, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd, bytes.data(), bytes.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = EIO;
    if (n <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    at += n;
  }
  return true;
}

// EINVAL: a file system that has nothing to wait for.
bool wait_for_disk(int fd) {
  int result;
  do {
    result = ::fdatasync(fd);
  } while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL;
}

Status cannot(const char* what, const std::string& name, const char* why) {
  return {Code::kIo, fmt::format("cannot {} {}: {}", what, name, why)};
}

}  // namespace

Result<RecoverableFile> RecoverableFile::open(const std::string& path) {
  int write_error = 0;
  int fd = open_at(path, O_RDWR);
  if (fd < 0) {
    write_error = errno;
    fd = open_at(path, O_RDONLY);
  }
  if (fd < 0) {
    const bool is_link = errno == ELOOP;
    return cannot("open", path, is_link ? "it is a symbolic link: name the file that it leads to" : strerror(errno));
  }
  RecoverableFile file(fd, path, write_error);
  struct stat status;
  if (::fstat(fd, &status) != 0) return cannot("read", path, strerror(errno));
  if (S_ISDIR(status.st_mode)) return cannot("read", path, "it is a directory");
  if (!S_ISREG(status.st_mode)) return cannot("recover", path, "it is no regular file");
  // A ring is one of the file that its program wrote.
  std::byte front[kCompressionFront];
  const ssize_t got = ::pread(fd, front, sizeof front, 0);
  if (got > 0 && compression_of({front, static_cast<std::size_t>(got)}) != nullptr) {
    return cannot("recover", path, "it is compressed: decompress it first");
  }
  return file;
}

RecoverableFile::RecoverableFile(RecoverableFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      name_(std::move(other.name_)),
      write_error_(other.write_error_) {}

RecoverableFile::~RecoverableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// A file system without locks has to do without.
bool RecoverableFile::lock() { return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; }

void RecoverableFile::unlock() { ::flock(descriptor_, LOCK_UN); }

Status RecoverableFile::replace_end(std::uint64_t size, std::span<const std::byte> bytes) {
  if (write_error_ != 0) return cannot("write", name_, strerror(write_error_));
  const auto end = static_cast<off_t>(size);
  if (cut(descriptor_, end) && write_at(descriptor_, end, bytes) && wait_for_disk(descriptor_)) return {};
  const int reason = errno;
  cut(descriptor_, end);  // what is left of it there would be read as a block that was cut short
  return cannot("write", name_, strerror(reason));
}

}  // namespace evt::tools
