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
struct sigaction before_shell = {};

void on_interrupt(int) {
  const int error = errno;
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
  return eventfd_read(event_, &count) == 0;
}

}  // namespace evt::tools
