#include "unnamed_file.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

namespace evt {
namespace {

constexpr int kTries = 100;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// A name in the same folder, of fixed length.
std::string name_beside(const std::string& path) {
  std::uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) number = static_cast<std::uint32_t>(getpid());
  return fmt::format("{}.{:06x}", path, number & 0xFFFFFF);
}

// True if a file can replace what is there.
bool is_place(const std::string& path) {
  struct stat there;
  // It may need a temporary name in the folder, which could be too long.
  if (lstat(name_beside(path).c_str(), &there) != 0 && errno != ENOENT) return false;
  if (lstat(path.c_str(), &there) != 0) return errno == ENOENT;
  if (S_ISDIR(there.st_mode)) {
    errno = EISDIR;
    return false;
  }
  // In a folder like /tmp no user can replace another's file.
  struct stat folder;
  if (stat(folder_of(path).c_str(), &folder) != 0) return false;
  const uid_t self = geteuid();
  const bool may = (folder.st_mode & S_ISVTX) == 0 || self == 0 || self == there.st_uid || self == folder.st_uid;
  if (!may) errno = EPERM;
  return may;
}

}  // namespace

bool UnnamedFile::open(const std::string& path, mode_t mode) {
  path_ = path;
  if (!is_place(path)) return false;
  // It gets its name through this folder.
  if (access("/proc/self/fd", X_OK) == 0) {
    fd_ = ::open(folder_of(path).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
  }
  return fd_ >= 0 || open_named(mode);
}

bool UnnamedFile::open_named(mode_t mode) {
  for (int i = 0; i < kTries; ++i) {
    std::string name = name_beside(path_);
    fd_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
    if (fd_ >= 0) temporary_ = std::move(name);
    if (fd_ >= 0 || errno != EEXIST) break;
  }
  return fd_ >= 0;
}

bool UnnamedFile::take_place() {
  if (temporary_.empty()) {
    const std::string self = fmt::format("/proc/self/fd/{}", fd_);
    const auto link_as = [&](const std::string& name) {
      return linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    if (link_as(path_)) return true;
    // link() does not replace a file, rename() does.
    for (int i = 0; i < kTries && temporary_.empty(); ++i) {
      if (errno != EEXIST) return false;
      std::string name = name_beside(path_);
      if (link_as(name)) temporary_ = std::move(name);
    }
    if (temporary_.empty()) return false;
  }
  if (rename(temporary_.c_str(), path_.c_str()) != 0) return false;
  temporary_.clear();
  return true;
}

void UnnamedFile::discard() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

}  // namespace evt
