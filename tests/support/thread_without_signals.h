// For tests of signals, whose handlers and interruptions are for one thread.
#pragma once

#include <signal.h>

#include <thread>
#include <utility>

namespace evt::testing {

// A thread that no signal reaches, from its first instruction: it inherits the mask.
template <typename Work>
std::thread thread_without_signals(Work work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  std::thread thread(std::move(work));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace evt::testing
