#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace evt {
namespace {

constexpr int kUsualLimit = 1024;

// The last numbers below the limit of this process, if they are not among the usual ones.
int below_limit() {
  constexpr int kNumbers = 16;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > kUsualLimit) return kUsualLimit;
  const int all = static_cast<int>(limit.rlim_cur);
  return all > 2 * kNumbers ? all - kNumbers : all / 2;
}

int with_high_number(int fd) {
  // Above what a loop to 1024 closes, if the limit of descriptors allows it; else just below the limit.
  const int numbers[] = {kUsualLimit, 1000, below_limit()};
  for (const int least : numbers) {
    const int high = fcntl(fd, F_DUPFD_CLOEXEC, least);
    if (high < 0) continue;
    ::close(fd);
    return high;
  }
  return fd;
}

}  // namespace

void Descriptor::own(int fd) {
  borrow(with_high_number(fd));
  owned_ = true;
}

void Descriptor::borrow(int fd) {
  struct stat status = {};
  was_open_ = fstat(fd, &status) == 0;
  id_ = id_of(status);
  is_regular_ = S_ISREG(status.st_mode);
  owned_ = false;
  __atomic_store_n(&number_, fd, __ATOMIC_RELEASE);
}

bool Descriptor::is_intact() const {
  struct stat status;
  return was_open_ && fstat(number(), &status) == 0 && id_of(status) == id_;
}

void Descriptor::replace_by(int fd) { __atomic_store_n(&number_, with_high_number(fd), __ATOMIC_RELEASE); }

int Descriptor::close() {
  const bool closes = owned_ && number() >= 0 && is_intact();
  const int fd = __atomic_exchange_n(&number_, -1, __ATOMIC_ACQ_REL);
  return !closes || ::close(fd) == 0 || errno == EINTR ? 0 : errno;
}

}  // namespace evt
