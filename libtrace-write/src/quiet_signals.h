// Signals that a system call of the library may cause or suffer, and that the program must not notice.
#pragma once

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

namespace evt {

// A reader that closed its pipe or a limit on the size of files must end tracing, not the program. Prevents delivery of
// SIGPIPE and SIGXFSZ while it lives, and discards one that arose meanwhile.
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

// Blocks what could stop the thread for a while, or for ever: the program's signals, and cancellation. For calls that
// restart after each signal, and for work that other threads wait for. Signals that the thread causes itself, such as a
// trapped system call, are still delivered.
class Uninterrupted {
 public:
  Uninterrupted() {
    sigset_t held;
    sigfillset(&held);
    static constexpr int kOwn[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    for (const int signal : kOwn) sigdelset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_before_);
  }
  ~Uninterrupted() {
    pthread_setcancelstate(cancel_before_, nullptr);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;

 private:
  sigset_t before_;
  int cancel_before_ = 0;
};

}  // namespace evt
