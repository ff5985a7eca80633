#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "old_run.h"
#include "quiet_signals.h"

namespace evt {
namespace {

constexpr int kNameShown = 159;
constexpr int kMostTries = 100;

thread_local int functions_called = 0;

}  // namespace
void set_error(evt_error* error, int code, const char* format, ...) {
  if (error == nullptr) return;
  error->code = code;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
}

bool Sink::open_path(const char* pattern, bool append, evt_error* error) {
  snprintf(name_, sizeof name_, "%.*s", kNameShown, pattern);
  char path[PATH_MAX];
  if (!expand_path(pattern, path, sizeof path)) return cannot_write(strerror(ENAMETOOLONG), error);
  // Others may open the same path at the same time: whoever comes second makes way.
  for (int i = 0; i < kMostTries; ++i) {
    const Opened opened = try_open(path, sizeof path, append, error);
    if (opened == Opened::kAgain) continue;
    if (opened == Opened::kNo) return false;
    owned_ = true;
    if (realpath(path, path_) == nullptr) path_[0] = '\0';
    learn_what_it_is();
    return true;
  }
  return cannot_write("others keep taking its place", error);
}

bool Sink::cannot_write(const char* why, evt_error* error) const {
  set_error(error, EVT_CODE_IO, "cannot write %s: %s", name_, why);
  return false;
}

Sink::Opened Sink::try_open(char* path, std::size_t size, bool append, evt_error* error) {
  struct stat existing;
  const bool exists = stat(path, &existing) == 0;
  const bool regular = !exists || S_ISREG(existing.st_mode);
  if (exists && S_ISDIR(existing.st_mode)) {
    cannot_write("it is a directory", error);
    return Opened::kNo;
  }
  if (exists && regular && !make_way(path, size, append, error)) return Opened::kNo;
  snprintf(name_, sizeof name_, "%.*s", kNameShown, path);
  // A regular file is made anew beside whoever still reads the old one; truncating a large one would also take long.
  const int how = append ? O_CREAT | O_APPEND : regular ? O_CREAT | O_EXCL : 0;
  do {
    fd_ = ::open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | how, 0600);
  } while (fd_ < 0 && errno == EINTR);
  if (fd_ < 0 && errno == EEXIST) return Opened::kAgain;
  if (fd_ < 0) {
    cannot_write(strerror(errno), error);
    return Opened::kNo;
  }
  if (!regular || holds(path)) return Opened::kYes;
  ::close(fd_);
  fd_ = -1;
  return Opened::kAgain;
}

// Whether the file that was opened is ours to write, and still the one at the path. The lock says so to others, for as
// long as we live; where there are no locks it has to do without.
bool Sink::holds(const char* path) const {
  if (flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct stat opened;
  struct stat there;
  return fstat(fd_, &opened) == 0 && stat(path, &there) == 0 && opened.st_ino == there.st_ino &&
         opened.st_dev == there.st_dev;
}

void Sink::use_descriptor(int fd) {
  fd_ = fd;
  snprintf(name_, sizeof name_, "descriptor %d", fd);
  learn_what_it_is();
}

void Sink::use_function(evt_sink function, void* context) {
  function_ = function;
  context_ = context;
}

void Sink::learn_what_it_is() {
  struct stat status;
  if (fstat(fd_, &status) != 0) return;
  regular_ = S_ISREG(status.st_mode);
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

bool Sink::write(const iovec* parts, int count, evt_error* error) {
  const int reason = function_ != nullptr ? write_function(parts, count) : write_descriptor(parts, count);
  if (reason == 0) return true;
  set_error(error, EVT_CODE_IO, "cannot write %s: %s", name_, strerror(reason));
  may_work_later_ = regular_ && (reason == ENOSPC || reason == EDQUOT);
  return false;
}

bool Sink::calls_function() { return functions_called > 0; }

// A function takes a block in one piece.
int Sink::write_function(const iovec* parts, int count) {
  whole_.clear();
  for (int i = 0; i < count; ++i) whole_.append(parts[i].iov_base, parts[i].iov_len);
  if (!whole_.ok()) return ENOMEM;
  ++functions_called;
  const int reason = function_(context_, whole_.data(), whole_.size());
  --functions_called;
  return reason;
}

int Sink::write_descriptor(const iovec* parts, int count) {
  const QuietSignals quiet;
  std::size_t done = 0;
  int reason = 0;
  for (int i = 0; i < count && reason == 0; ++i) {
    for (std::size_t at = 0; at < parts[i].iov_len && reason == 0;) {
      // All that is left in one call, the rest of this part first.
      iovec left[kMostParts];
      const int left_count = count - i;
      memcpy(left, parts + i, static_cast<std::size_t>(left_count) * sizeof(iovec));
      left[0] = {static_cast<char*>(parts[i].iov_base) + at, parts[i].iov_len - at};
      const ssize_t n = ::writev(fd_, left, left_count);
      if (n < 0 && errno == EAGAIN) {
        pollfd ready = {fd_, POLLOUT, 0};
        poll(&ready, 1, -1);
      } else if (n <= 0 && (n == 0 || errno != EINTR)) {
        reason = n == 0 ? EIO : errno;
      } else if (n > 0) {
        done += static_cast<std::size_t>(n);
        at += static_cast<std::size_t>(n);
        while (i < count - 1 && at >= parts[i].iov_len) at -= parts[i++].iov_len;
      }
    }
  }
  if (reason != 0 && done > 0 && regular_) take_back(done);
  return reason;
}

void Sink::take_back(std::size_t done) {
  const off_t end = lseek(fd_, 0, SEEK_CUR);
  const off_t start = end - static_cast<off_t>(done);
  if (end >= 0 && ftruncate(fd_, start) == 0) lseek(fd_, start, SEEK_SET);
}

void Sink::let_go() {
  if (owned_ && fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

bool Sink::close(evt_error* error) {
  whole_.give_back();
  if (!owned_ || fd_ < 0) return true;
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) == 0 || errno == EINTR) return true;
  set_error(error, EVT_CODE_IO, "cannot close %s: %s", name_, strerror(errno));
  return false;
}

}  // namespace evt
