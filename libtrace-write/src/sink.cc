#include "sink.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_path.h"
#include "quiet_signals.h"

namespace evt {
namespace {

constexpr int kClosed = -1;  // in the place of an errno
constexpr const char* kClosedByProgram = "descriptor was closed by the program";

thread_local int functions_called = 0;

}  // namespace

bool Sink::open_path(const char* pattern, bool append, evt_error* error) {
  OutputPath output;
  const int fd = output.open(pattern, append, error);
  if (fd < 0) return false;
  show_path(output.path(), name_, sizeof name_);
  out_.own(fd);
  struct stat there;
  const bool found = realpath(output.path(), path_) != nullptr && lstat(path_, &there) == 0;
  if (!found || id_of(there) != id()) path_[0] = '\0';
  return true;
}

void Sink::use_descriptor(int fd) {
  out_.borrow(fd);
  snprintf(name_, sizeof name_, "descriptor %d", fd);
}

void Sink::use_function(evt_sink function, void* context) {
  function_ = function;
  context_ = context;
}

bool Sink::write(const iovec* parts, int count, evt_error* error) {
  const int reason = function_ != nullptr ? write_function(parts, count) : write_descriptor(parts, count);
  if (reason == 0) return true;
  set_error(error, EVT_CODE_IO, "cannot write %s: %s", name_, reason == kClosed ? kClosedByProgram : strerror(reason));
  may_work_later_ = is_regular() && (reason == ENOSPC || reason == EDQUOT);
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
  if (!out_.was_open()) return EBADF;
  const QuietSignals quiet;
  const int fd = out_.number();
  std::size_t done = 0;
  int reason = 0;
  for (int i = 0; i < count && reason == 0; ++i) {
    for (std::size_t at = 0; at < parts[i].iov_len && reason == 0;) {
      // All that is left in one call, the rest of this part first.
      iovec left[kMaxParts];
      const int left_count = count - i;
      memcpy(left, parts + i, static_cast<std::size_t>(left_count) * sizeof(iovec));
      left[0] = {static_cast<char*>(parts[i].iov_base) + at, parts[i].iov_len - at};
      if (!out_.is_intact()) {
        reason = kClosed;
        break;
      }
      const ssize_t n = ::writev(fd, left, left_count);
      if (n < 0 && errno == EAGAIN) {
        pollfd ready = {fd, POLLOUT, 0};
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
  if (reason != 0 && reason != kClosed && done > 0 && is_regular()) take_back(done);
  return reason;
}

void Sink::take_back(std::size_t done) {
  if (!out_.is_intact()) return;
  const int fd = out_.number();
  const off_t end = lseek(fd, 0, SEEK_CUR);
  const off_t start = end - static_cast<off_t>(done);
  if (end >= 0 && ftruncate(fd, start) == 0) lseek(fd, start, SEEK_SET);
}

bool Sink::close(evt_error* error) {
  whole_.release();
  const int reason = out_.close();
  if (reason == 0) return true;
  set_error(error, EVT_CODE_IO, "cannot close %s: %s", name_, strerror(reason));
  return false;
}

}  // namespace evt
