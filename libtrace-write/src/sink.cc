#include "sink.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "quiet_signals.h"

namespace evt {
namespace {

// Used in place of an errno.
constexpr int kClosed = -1;
constexpr int kNoReader = -2;
// How soon a thread that waits for a reader notices that the session is being closed.
constexpr int kLookEveryMs = 20;

const char* text_of(int reason) {
  if (reason == kClosed) return "descriptor was closed by the program";
  if (reason == kNoReader) return "its reader takes nothing, and the session is being closed";
  return strerror(reason);
}

thread_local int functions_called = 0;

}  // namespace

bool Sink::open_path(const char* pattern, bool append, OutputPath& output, evt_error* error) {
  return own(output.open(pattern, append, error), output);
}

bool Sink::open_numbered(NumberedFiles& files, OutputPath& output, evt_error* error) {
  return own(output.open_next(files, error), output);
}

bool Sink::own(int fd, const OutputPath& output) {
  if (fd < 0) return false;
  show_path(output.path(), name_, sizeof name_);
  out_.own(fd);
  is_regular_ = out_.is_regular();
  struct stat there;
  const bool found = realpath(output.path(), path_) != nullptr && lstat(path_, &there) == 0;
  if (!found || id_of(there) != id()) path_[0] = '\0';
  return true;
}

void Sink::go_on(int fd, const char* path) {
  out_.close();
  out_.own(fd);
  show_path(path, name_, sizeof name_);
}

void Sink::use_descriptor(int fd) {
  out_.borrow(fd);
  is_regular_ = out_.is_regular();
  snprintf(name_, sizeof name_, "descriptor %d", fd);
}

void Sink::use_function(evt_sink function, void* context) {
  function_ = function;
  context_ = context;
}

bool Sink::write(const iovec* parts, int count, evt_error* error) {
  const int reason = function_ != nullptr ? write_function(parts, count) : write_descriptor(parts, count);
  if (reason == 0) return true;
  set_error(error, EVT_CODE_IO, "cannot write %s: %s", name_, text_of(reason));
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

void Sink::limit_waiting(std::uint64_t ms) {
  __atomic_store_n(&limited_at_ns_, monotonic_ns(), __ATOMIC_RELAXED);
  __atomic_store_n(&max_wait_ms_, ms, __ATOMIC_RELEASE);
}

// If the reader has taken nothing so far, its time starts with the limit.
bool Sink::is_given_up(std::uint64_t stalled_since_ns) const {
  const std::uint64_t max_ms = __atomic_load_n(&max_wait_ms_, __ATOMIC_ACQUIRE);
  if (max_ms == UINT64_MAX) return false;
  const std::uint64_t limited_at_ns = __atomic_load_n(&limited_at_ns_, __ATOMIC_RELAXED);
  const std::uint64_t since_ns = stalled_since_ns > limited_at_ns ? stalled_since_ns : limited_at_ns;
  return (monotonic_ns() - since_ns) / 1'000'000 >= max_ms;
}

// Writes what it can of the parts. Anything but a regular file is not waited for: EAGAIN. The caller's descriptor does
// not change, so others that have the same pipe see no difference. Systems that cannot write this way are first asked
// whether there is room, and a pipe that has room takes at least PIPE_BUF bytes.
ssize_t Sink::write_some(int fd, const iovec* parts, int count) {
  if (is_regular()) return ::writev(fd, parts, count);
#ifdef RWF_NOWAIT
  if (!must_poll_) {
    const ssize_t n = ::pwritev2(fd, parts, count, -1, RWF_NOWAIT);
    if (n >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL && errno != EPERM)) return n;
    must_poll_ = true;
  }
#endif
  pollfd ready = {fd, POLLOUT, 0};
  if (poll(&ready, 1, 0) != 1) {
    errno = EAGAIN;
    return -1;
  }
  return ::write(fd, parts->iov_base, parts->iov_len < PIPE_BUF ? parts->iov_len : PIPE_BUF);
}

int Sink::write_descriptor(const iovec* parts, int count) {
  if (!out_.was_open()) return EBADF;
  const QuietSignals quiet;
  const int fd = out_.number();
  std::size_t done = 0;
  std::uint64_t stalled_since_ns = 0;  // 0: the reader keeps up
  bool seemed_ready = false;
  int reason = 0;
  for (int i = 0; i < count && reason == 0; ++i) {
    for (std::size_t at = 0; at < parts[i].iov_len && reason == 0;) {
      // All that is left in one call, first the rest of this part.
      iovec left[kMaxParts];
      const int left_count = count - i;
      memcpy(left, parts + i, static_cast<std::size_t>(left_count) * sizeof(iovec));
      left[0] = {static_cast<char*>(parts[i].iov_base) + at, parts[i].iov_len - at};
      if (!out_.is_intact()) {
        reason = kClosed;
        break;
      }
      const ssize_t n = write_some(fd, left, left_count);
      if (n < 0 && errno == EAGAIN) {
        if (stalled_since_ns == 0) stalled_since_ns = monotonic_ns();
        // The reader has all of a block that lacks only its padding.
        const bool is_padding = i == count - 1 && count > 1 && done > 0;
        if (is_given_up(stalled_since_ns) && is_padding) return 0;
        if (is_given_up(stalled_since_ns)) reason = kNoReader;
        must_poll_ |= seemed_ready;
        pollfd ready = {fd, POLLOUT, 0};
        seemed_ready = reason == 0 && poll(&ready, 1, kLookEveryMs) == 1;
      } else if (n <= 0 && (n == 0 || errno != EINTR)) {
        reason = n == 0 ? EIO : errno;
      } else if (n > 0) {
        stalled_since_ns = 0;
        seemed_ready = false;
        done += static_cast<std::size_t>(n);
        at += static_cast<std::size_t>(n);
        while (i < count - 1 && at >= parts[i].iov_len) at -= parts[i++].iov_len;
      }
    }
  }
  if (reason > 0 && done > 0 && is_regular()) take_back(done);
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
