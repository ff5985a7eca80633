// Programs that are killed at a system call of their flusher, whichever it is.
#pragma once

#include <dirent.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "support/folder.h"
#include "support/sanitizer.h"

namespace evt::testing {

// Under a sanitizer programs take longer, and their calls come in the same order.
inline constexpr int kStride = kSanitizer ? 5 : 1;

// What such a program tells the test, in memory that both have.
struct Progress {
  std::atomic<int> flusher;
  std::atomic<bool> goes;
  std::atomic<std::uint32_t> emitted[2];
};

// Waits until the flusher has its name, which it gives itself when it first runs.
inline int number_of_flusher() {
  int found = 0;
  for (; found == 0; usleep(100)) {
    DIR* const tasks = opendir("/proc/self/task");
    while (const dirent* const entry = readdir(tasks)) {
      const std::string task = entry->d_name;
      if (task[0] != '.' && read_file("/proc/self/task/" + task + "/comm") == "evt-flusher\n") found = std::stoi(task);
    }
    closedir(tasks);
  }
  return found;
}

// Lets the thread that a program says go on to its stop number `stops` at a system call, one when it begins and one
// when it ends, and kills the program there. False when it ended before.
inline bool kill_at(pid_t process, Progress& progress, int stops) {
  while (progress.flusher == 0) {
    usleep(100);
    if (waitpid(process, nullptr, WNOHANG) != 0) throw std::runtime_error("the program ended before it was ready");
  }
  const int thread = progress.flusher;
  bool is_killed = false;
  if (ptrace(PTRACE_SEIZE, thread, nullptr, PTRACE_O_TRACESYSGOOD) != 0) throw std::runtime_error("ptrace");
  ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
  int status = 0;
  for (int met = 0; waitpid(thread, &status, __WALL) == thread && WIFSTOPPED(status);) {
    progress.goes = true;
    met += WSTOPSIG(status) == (SIGTRAP | 0x80) ? 1 : 0;
    is_killed = met == stops;
    if (is_killed) kill(process, SIGKILL);
    ptrace(PTRACE_SYSCALL, thread, nullptr, nullptr);
  }
  waitpid(process, &status, 0);
  return is_killed;
}

}  // namespace evt::testing
