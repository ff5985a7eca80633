// What a system call of the library may bring about, or be brought down by, and the program must not notice.
#pragma once

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

namespace evt {

// A reader that went away or a limit on the size of files must end tracing, not the program. Keeps SIGPIPE and SIGXFSZ
// from being delivered while it lives, and takes back one that arose meanwhile.
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

// Holds back what could stop the thread for a while, or for ever: the program's signals, and its being cancelled. For
// calls that begin anew after each signal, and for work that other threads wait for. What the thread brings about
// itself, a system call that is trapped for instance, is delivered as ever.
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
