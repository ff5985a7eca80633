#include "sql/interrupts.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace evt::tools {
namespace {

sem_t signalled;
std::atomic<int> wake_up{-1};
std::atomic<bool> has_ended{false};
// How many signals came, and for how many of them DuckDB was interrupted.
std::atomic<unsigned> came{0};
std::atomic<unsigned> handled{0};
struct sigaction before_shell = {};

void on_interrupt(int) {
  const int error = errno;
  ++came;
  eventfd_write(wake_up, 1);
  sem_post(&signalled);
  errno = error;
}

}  // namespace

Interrupts::Interrupts(const Database& database) : event_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  wake_up = event_;
  has_ended = false;
  sem_init(&signalled, 0, 0);
  waiting_ = std::thread([&database] {
    while (true) {
      while (sem_wait(&signalled) != 0) {
      }
      if (has_ended) return;
      database.interrupt();
      ++handled;
      handled.notify_all();
    }
  });
  struct sigaction action = {};
  action.sa_handler = &on_interrupt;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &before_shell);
}

Interrupts::~Interrupts() {
  sigaction(SIGINT, &before_shell, nullptr);
  has_ended = true;
  sem_post(&signalled);
  waiting_.join();
  close(event_);
}

bool Interrupts::take() {
  eventfd_t count = 0;
  if (eventfd_read(event_, &count) != 0) return false;
  // Else one that the other thread is late for would end the next query.
  for (unsigned so_far = handled; so_far != came; so_far = handled) handled.wait(so_far);
  return true;
}

}  // namespace evt::tools
