#include "support/timed_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

namespace evt::testing {
namespace {

constexpr int kTimedOut = 124;  // as `timeout` has it
constexpr std::chrono::seconds kGrace{5};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

TimedProcess::TimedProcess(Start start) {
  constexpr int kNew = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, start.in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, start.out.c_str(), kNew, 0666);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, start.err.c_str(), kNew, 0666);
  if (!start.folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, start.folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawn(&id_, start.program.c_str(), &actions, &attributes, pointers_to(start.words).data(),
                                pointers_to(start.environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " + start.program);
  handle_ = static_cast<int>(syscall(SYS_pidfd_open, id_, 0));
}

TimedProcess::~TimedProcess() {
  if (handle_ >= 0) close(handle_);
}

int TimedProcess::end(std::chrono::seconds most) {
  if (const auto status = wait_until(Clock::now() + most)) return *status;
  kill(-id_, SIGTERM);
  kill(-id_, SIGCONT);
  if (wait_until(Clock::now() + kGrace)) return kTimedOut;
  kill(-id_, SIGKILL);
  return *wait_until(Clock::time_point::max());
}

std::optional<int> TimedProcess::wait_until(Clock::time_point limit) {
  for (;;) {
    int status = 0;
    if (waitpid(id_, &status, WNOHANG) == id_) {
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    const Clock::time_point now = Clock::now();
    if (now >= limit) return std::nullopt;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - now);
    wait(static_cast<int>(std::min<std::chrono::milliseconds::rep>(left.count(), 1'000)));
  }
}

// Waits until it ends, or this long. An old kernel or an emulator has no handle of a process: there it looks every
// millisecond.
void TimedProcess::wait(int milliseconds) const {
  pollfd ended = {handle_, POLLIN, 0};
  poll(&ended, 1, handle_ >= 0 ? milliseconds : 1);
}

}  // namespace evt::testing
