#include "stop_signals.h"

#include <sys/eventfd.h>

#include <atomic>
#include <cerrno>

namespace evt::tools::http {
namespace {

constexpr int kSignals[2] = {SIGINT, SIGTERM};

std::atomic<int> event{-1};

void raise_event(int) {
  const int error = errno;
  eventfd_write(event.load(), 1);
  errno = error;
}

}  // namespace

StopSignals::StopSignals() : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  event = event_.number();
  struct sigaction action {};
  action.sa_handler = raise_event;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &action, &before_[i]);
}

StopSignals::~StopSignals() {
  for (int i = 0; i < 2; ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

}  // namespace evt::tools::http
