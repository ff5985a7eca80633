#include "stop_clock.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

namespace evt {
namespace {

// Reading it takes some microseconds. Delays of the thread since the last reading count as if they happened now, so on
// a busy machine a stop may seem shorter, but never longer.
constexpr std::uint64_t kReadEveryNs = 100'000'000;

}  // namespace

// The second number of /proc/thread-self/schedstat (Linux, Documentation/scheduler/sched-stats.rst). Opened each time:
// a program may close descriptors that it does not know.
bool read_run_delay(std::uint64_t* ns) {
  const int saved = errno;
  const int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  char text[80];
  const ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text);
  if (fd >= 0) close(fd);
  errno = saved;
  ssize_t at = 0;
  while (at < size && text[at] != ' ') ++at;
  if (at + 1 >= size) return false;
  *ns = 0;
  for (++at; at < size && text[at] >= '0' && text[at] <= '9'; ++at) {
    *ns = *ns * 10 + static_cast<std::uint64_t>(text[at] - '0');
  }
  return true;
}

void StopClock::sleep(std::uint64_t now_ns, std::uint64_t until_ns) {
  until_ns_ = until_ns;
  if (known_ && now_ns - read_at_ns_ < kReadEveryNs) return;
  known_ = run_delay_(&delay_ns_);
  read_at_ns_ = now_ns;
}

bool StopClock::wake(std::uint64_t now_ns, Stop* stop) {
  if (now_ns < until_ns_ + kLeastNs || !known_) return false;
  const std::uint64_t before = delay_ns_;
  known_ = run_delay_(&delay_ns_);
  read_at_ns_ = now_ns;
  const std::uint64_t late = now_ns - until_ns_;
  const std::uint64_t delayed = delay_ns_ - before;
  if (!known_ || late < delayed + kLeastNs) return false;
  *stop = {now_ns - delayed, late - delayed};
  return true;
}

}  // namespace evt
