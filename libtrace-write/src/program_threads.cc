#include "program_threads.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "proc_file.h"

namespace evt {
namespace {

constexpr std::uint64_t kLookEveryNs = 1'000'000'000;
constexpr char kThreads[] = "/proc/self/task";

// A directory entry of getdents64.
struct Entry {
  std::uint64_t inode;
  std::int64_t next;
  std::uint16_t size;
  std::uint8_t type;
  char name[1];
};

// Such a thread stays until the others have ended, and has no executable file any more.
bool first_thread_has_ended() {
  char target[1];
  return readlink("/proc/self/exe", target, sizeof target) < 0 && errno == ENOENT;
}

// 0: unknown. The link count of a folder is the number of its subfolders plus two.
std::uint64_t count_of_threads() {
  struct stat folder;
  return stat(kThreads, &folder) == 0 && folder.st_nlink > 2 ? folder.st_nlink - 2 : 0;
}

bool is_flusher(const char* thread) {
  char path[64];
  snprintf(path, sizeof path, "%s/%.20s/comm", kThreads, thread);
  char name[32];
  const std::size_t size = read_proc_file(path, name);
  if (size == 0) return access(path, F_OK) != 0 && errno == ENOENT;  // it has just ended
  return size == sizeof kFlusherName && memcmp(name, kFlusherName, sizeof kFlusherName - 1) == 0;
}

// Except the first one, which has ended.
bool all_are_flushers() {
  const int fd = open(kThreads, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return false;
  bool all = true;
  long size = 0;
  alignas(8) char entries[2048];
  while (all && (size = syscall(SYS_getdents64, fd, entries, sizeof entries)) > 0) {
    const Entry* entry = nullptr;
    for (long at = 0; all && at < size; at += entry->size) {
      entry = reinterpret_cast<const Entry*>(entries + at);
      const long thread = strtol(entry->name, nullptr, 10);
      all = thread == 0 || thread == getpid() || is_flusher(entry->name);
    }
  }
  close(fd);
  return all && size == 0;
}

void take_name_of_first_thread() {
  char name[32];
  read_proc_file("/proc/self/comm", name);
  name[strcspn(name, "\n")] = '\0';
  if (name[0] != '\0') prctl(PR_SET_NAME, name);
}

void take_signals_of_first_thread() {
  char status[4096];
  read_proc_file("/proc/self/status", status);
  const char* const line = strstr(status, "\nSigBlk:");
  if (line == nullptr) return;
  const unsigned long long blocked = strtoull(line + strlen("\nSigBlk:"), nullptr, 16);
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal = 1; signal <= 64; ++signal) {
    if ((blocked >> (signal - 1) & 1) != 0) sigaddset(&signals, signal);
  }
  pthread_sigmask(SIG_SETMASK, &signals, nullptr);
}

// In the format of waitpid: the last number of the file.
int status_of_first_thread() {
  char numbers[1024];
  read_proc_file("/proc/self/stat", numbers);
  const char* const last = strrchr(numbers, ' ');
  return last == nullptr ? 0 : static_cast<int>(strtol(last, nullptr, 10));
}

}  // namespace

void ProgramThreads::end_last() const {
  take_name_of_first_thread();
  take_signals_of_first_thread();
  const int status = first_was_last_ ? status_of_first_thread() : 0;
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  } else if (WEXITSTATUS(status) != 0) {
    syscall(SYS_exit, WEXITSTATUS(status));
  }
}

bool ProgramThreads::have_ended() {
  if (!first_thread_has_ended()) return false;
  // Looking at each takes descriptors, which the program may see: done only if something has changed, or once a second.
  const std::uint64_t count = count_of_threads();
  const std::uint64_t now = monotonic_ns();
  if (count == 0 || (count == counted_ && now - looked_at_ns_ < kLookEveryNs)) return false;
  counted_ = count;
  looked_at_ns_ = now;
  if (all_are_flushers()) return true;
  first_was_last_ = false;
  return false;
}

}  // namespace evt
