#include "lock_holder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "proc_file.h"

namespace evt {
namespace {

constexpr int kMaxGenerations = 64;

// 0: there is none, or it is not to be known.
pid_t parent_of(pid_t process) {
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(process));
  char text[512];
  read_proc_file(path, text);
  // Behind the program's name, which may have anything in it: a state, then the number.
  const char* const name_end = strrchr(text, ')');
  return name_end == nullptr || strlen(name_end) < 4 ? 0 : static_cast<pid_t>(strtol(name_end + 4, nullptr, 10));
}

}  // namespace

// 1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF
pid_t lock_holder(const FileId& file) {
  char locks[32 << 10];
  read_proc_file("/proc/locks", locks);
  pid_t holder = 0;
  for (const char* line = locks; line != nullptr && holder == 0; line = strchr(line, '\n')) {
    if (*line == '\n') ++line;
    int process = 0;
    unsigned major_number = 0;
    unsigned minor_number = 0;
    unsigned long long inode = 0;
    const int found = sscanf(line, "%*s FLOCK %*s %*s %d %x:%x:%llu", &process, &major_number, &minor_number, &inode);
    if (found == 4 && inode == file.inode && makedev(major_number, minor_number) == file.device) holder = process;
  }
  return holder;
}

bool is_ancestor(pid_t process) {
  pid_t each = getppid();
  for (int i = 0; i < kMaxGenerations && each > 1; ++i, each = parent_of(each)) {
    if (each == process) return true;
  }
  return false;
}

}  // namespace evt
