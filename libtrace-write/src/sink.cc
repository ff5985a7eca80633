#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

namespace evt {
namespace {

// A reader that went away or a file size limit must end tracing, not the program: keeps SIGPIPE and SIGXFSZ from
// being delivered while it lives, and takes back one that arose meanwhile.
class QuietSignals {
 public:
  QuietSignals() {
    sigset_t pending;
    sigemptyset(&ours_);
    sigpending(&pending);
    static constexpr int kSignals[] = {SIGPIPE, SIGXFSZ};
    for (const int signal : kSignals) {
      if (sigismember(&pending, signal) == 0) sigaddset(&ours_, signal);
    }
    pthread_sigmask(SIG_BLOCK, &ours_, &before_);
  }
  ~QuietSignals() {
    const int saved = errno;
    const timespec now = {0, 0};
    while (sigtimedwait(&ours_, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = saved;
  }
  QuietSignals(const QuietSignals&) = delete;
  QuietSignals& operator=(const QuietSignals&) = delete;

 private:
  sigset_t ours_;
  sigset_t before_;
};

}  // namespace

void set_error(evt_error* error, int code, const char* format, ...) {
  if (error == nullptr) return;
  error->code = code;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
}

bool Sink::open_path(const char* path, bool append, evt_error* error) {
  snprintf(name_, sizeof name_, "%s", path);
  struct stat existing;
  const bool exists = stat(path, &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) {
    set_error(error, EVT_CODE_IO, "cannot write %s: it is a directory", path);
    return false;
  }
  int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
  if (append) {
    flags |= O_CREAT | O_APPEND;
  } else if (!exists || S_ISREG(existing.st_mode)) {
    // Made anew beside whoever still reads the old one; truncating a large file would also take long.
    if (exists && unlink(path) != 0) {
      set_error(error, EVT_CODE_IO, "cannot replace %s: %s", path, strerror(errno));
      return false;
    }
    flags |= O_CREAT | O_EXCL;
  }
  do {
    fd_ = ::open(path, flags, 0600);
  } while (fd_ < 0 && errno == EINTR);
  if (fd_ < 0) {
    set_error(error, EVT_CODE_IO, "cannot write %s: %s", path, strerror(errno));
    return false;
  }
  owned_ = true;
  learn_what_it_is();
  return true;
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
  regular_ = fstat(fd_, &status) == 0 && S_ISREG(status.st_mode);
}

bool Sink::write(const void* bytes, std::size_t size, evt_error* error) {
  int reason = 0;
  const bool written = function_ != nullptr ? (reason = function_(context_, bytes, size)) == 0
                                            : write_descriptor(static_cast<const std::uint8_t*>(bytes), size, &reason);
  if (!written) set_error(error, EVT_CODE_IO, "cannot write %s: %s", name_, strerror(reason));
  return written;
}

bool Sink::write_descriptor(const std::uint8_t* bytes, std::size_t size, int* reason) {
  const QuietSignals quiet;
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::write(fd_, bytes + done, size - done);
    if (n > 0) {
      done += static_cast<std::size_t>(n);
    } else if (n < 0 && errno == EAGAIN) {
      pollfd ready = {fd_, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (n == 0 || errno != EINTR) {
      *reason = n == 0 ? EIO : errno;
      break;
    }
  }
  if (done < size && done > 0 && regular_) {
    const off_t end = lseek(fd_, 0, SEEK_CUR);
    const off_t start = end - static_cast<off_t>(done);
    if (end >= 0 && ftruncate(fd_, start) == 0) lseek(fd_, start, SEEK_SET);
  }
  return done == size;
}

bool Sink::close(evt_error* error) {
  if (!owned_ || fd_ < 0) return true;
  const int fd = fd_;
  fd_ = -1;
  if (::close(fd) == 0 || errno == EINTR) return true;
  set_error(error, EVT_CODE_IO, "cannot close %s: %s", name_, strerror(errno));
  return false;
}

}  // namespace evt
