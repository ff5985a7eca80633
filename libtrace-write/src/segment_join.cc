#include "segment_join.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "file_names.h"
#include "format-spec/src/base/buffer.h"
#include "quiet_signals.h"

namespace evt {
namespace {

constexpr std::size_t kStep = 256 << 10;
constexpr int kMaxNames = 100;

bool write_all(int fd, const std::uint8_t* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = EIO;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

// app.PID-0.new.evt
bool make_name(const char* path, int number, char (&name)[PATH_MAX]) {
  char word[48];
  snprintf(word, sizeof word, "%d-%d.new", static_cast<int>(getpid()), number);
  errno = ENAMETOOLONG;
  return insert_word(path, word, name, sizeof name);
}

}  // namespace

SegmentJoin::~SegmentJoin() {
  if (own_name_[0] != '\0') unlink(own_name_);
  if (fd_ >= 0) ::close(fd_);
}

bool SegmentJoin::begin(const char* path) {
  errno = ENAMETOOLONG;
  if (strlen(path) >= sizeof path_) return false;
  memcpy(path_, path, strlen(path) + 1);
  char folder[PATH_MAX];
  const char* const slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash == nullptr ? 1 : static_cast<int>(slash - path) + 1,
           slash == nullptr ? "." : path);
  fd_ = ::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  for (int i = 0; fd_ < 0 && i < kMaxNames && make_name(path, i, own_name_); ++i) {
    fd_ = ::open(own_name_, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd_ < 0) own_name_[0] = '\0';
    if (fd_ < 0 && errno != EEXIST) break;
  }
  if (fd_ < 0) return false;
  flock(fd_, LOCK_EX | LOCK_NB);
  return true;
}

bool SegmentJoin::add(const char* path) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return false;
  const bool added = add(fd);
  const int reason = errno;
  ::close(fd);
  errno = reason;
  return added;
}

bool SegmentJoin::add(int descriptor) {
  const QuietSignals quiet;  // the size of files may be limited
  Buffer step;
  std::uint8_t* const bytes = step.extend(kStep);
  errno = ENOMEM;
  if (bytes == nullptr) return false;
  for (off_t at = 0;;) {
    const ssize_t n = pread(descriptor, bytes, kStep, at);
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) return true;
    if (n < 0 || !write_all(fd_, bytes, static_cast<std::size_t>(n))) return false;
    at += n;
  }
}

bool SegmentJoin::take_name() {
  if (own_name_[0] != '\0') return true;
  char unnamed[40];
  snprintf(unnamed, sizeof unnamed, "/proc/self/fd/%d", fd_);
  for (int i = 0; i < kMaxNames && make_name(path_, i, own_name_); ++i) {
    if (linkat(AT_FDCWD, unnamed, AT_FDCWD, own_name_, AT_SYMLINK_FOLLOW) == 0) return true;
    own_name_[0] = '\0';
    if (errno != EEXIST) break;
  }
  return false;
}

bool SegmentJoin::take_place(const FileId& first) {
  if (!take_name()) return false;
  struct stat there;
  const bool is_there = lstat(path_, &there) == 0;
  bool has_place = false;
  if (is_there && id_of(there) == first) {
    has_place = rename(own_name_, path_) == 0;
  } else if (is_there || errno == ENOENT) {
    has_place = rename_to_free(own_name_, path_);
  }
  if (has_place) own_name_[0] = '\0';
  return has_place;
}

}  // namespace evt
