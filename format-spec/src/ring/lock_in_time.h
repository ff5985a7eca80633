// How rings and traces are locked, FORMAT.md section 12. A ring's writer holds its lock exclusively while it lives; all
// others share it. A trace's writer, and a process that recovers the trace, hold the trace's lock exclusively.
#pragma once

#include <errno.h>
#include <sys/file.h>
#include <time.h>

namespace evt {

// Takes the lock `how`, LOCK_SH or LOCK_EX. Waits at most 10 ms for others who hold it for a moment, as programs of
// earlier versions do that look at a ring. Returns false, with the reason in errno, if it does not get it in that time.
inline bool lock_in_time(int fd, int how) {
  constexpr int kTries = 5;
  for (int i = 1; flock(fd, how | LOCK_NB) != 0; ++i) {
    if (i == kTries || errno != EWOULDBLOCK) return false;
    const timespec pause = {0, 2'000'000};
    nanosleep(&pause, nullptr);
  }
  return true;
}

}  // namespace evt
