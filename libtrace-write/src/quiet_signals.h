// A reader that went away or a limit on the size of files must end tracing, not the program.
#pragma once

#include <errno.h>
#include <signal.h>
#include <time.h>

namespace evt {

// Keeps SIGPIPE and SIGXFSZ from being delivered while it lives, and takes back one that arose meanwhile.
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

}  // namespace evt
