#include "ring_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "clock.h"
#include "format-spec/src/ring/lock_in_time.h"
#include "quiet_signals.h"

namespace evt {
namespace {

#ifndef MADV_POPULATE_WRITE
constexpr int MADV_POPULATE_WRITE = 23;
#endif

constexpr std::uint64_t kTouchEveryNs = 3600ULL * 1'000'000'000;

}  // namespace

std::uint64_t RingMemory::fair_share(const char* folder) {
  struct statvfs status;
  if (statvfs(folder, &status) != 0) return 0;
  errno = ENOSPC;
  return std::uint64_t{status.f_bavail} * status.f_frsize / 4;
}

// The file gets its name when it is locked: before that, it would look like a dead writer's.
bool RingMemory::open_shared(const char* folder, const char* name, std::uint64_t wanted) {
  const auto size = static_cast<std::size_t>(wanted);
  errno = ENOMEM;
  if (size != wanted) return false;  // exceeds the machine's address space
  snprintf(path_, sizeof path_, "%s/%s", folder, name);
  const int mapped = ::open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (mapped < 0) {
    path_[0] = '\0';
    return false;
  }
  char unnamed[40];
  snprintf(unnamed, sizeof unnamed, "/proc/self/fd/%d", mapped);
  // A mapping keeps the lock of its descriptor, and a fork child keeps the mapping: so the lock has its own descriptor.
  const int locked = ::open(unnamed, O_RDWR | O_CLOEXEC);
  if (locked >= 0) lock_.own(locked);
  const QuietSignals quiet;  // the size of files may be limited
  void* memory = MAP_FAILED;
  if (locked >= 0 && lock_in_time(lock_.number(), LOCK_EX) &&
      ftruncate(lock_.number(), static_cast<off_t>(size)) == 0) {
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, mapped, 0);
  }
  const bool named = memory != MAP_FAILED && linkat(AT_FDCWD, unnamed, AT_FDCWD, path_, AT_SYMLINK_FOLLOW) == 0;
  const int reason = errno;
  ::close(mapped);
  if (named) {
    data_ = static_cast<std::uint8_t*>(memory);
    size_ = size;
    return true;
  }
  if (memory != MAP_FAILED) munmap(memory, size);
  path_[0] = '\0';
  detach();
  errno = reason;
  return false;
}

bool RingMemory::open_private(std::uint64_t wanted) {
  const auto size = static_cast<std::size_t>(wanted);
  if (size != wanted) return false;
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  data_ = static_cast<std::uint8_t*>(memory);
  size_ = size;
  return true;
}

bool RingMemory::commit(std::uint64_t offset, std::uint64_t size) {
  if (offset + size > size_) return false;
  if (shared()) {
    // A signal makes it start over, from the first byte.
    const QuietSignals quiet;
    const Uninterrupted uninterrupted;
    int result = -1;
    do {
      if (!lock_.is_intact()) return false;
      result = fallocate(lock_.number(), 0, static_cast<off_t>(offset), static_cast<off_t>(size));
    } while (result != 0 && errno == EINTR);
    if (result != 0) return false;
  }
  // One call instead of a page fault for each page, on kernels since 5.14.
  const int saved = errno;
  if (madvise(data_ + offset, static_cast<std::size_t>(size), MADV_POPULATE_WRITE) == 0) return true;
  errno = saved;
  for (std::uint64_t at = offset; at < offset + size; at += ring::kPage) {
    *const_cast<volatile std::uint8_t*>(data_ + at) = 0;
  }
  return true;
}

void RingMemory::keep_alive() {
  if (!shared()) return;
  if (lock_.is_intact()) {
    if (monotonic_ns() - touched_at_ns_ < kTouchEveryNs) return;
    touched_at_ns_ = monotonic_ns();
    futimens(lock_.number(), nullptr);
    return;
  }
  const int fd = ::open(path_, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return;
  struct stat status;
  const bool same = fstat(fd, &status) == 0 && id_of(status) == lock_.id();
  if (same && lock_in_time(fd, LOCK_EX)) {
    lock_.replace_by(fd);
  } else {
    ::close(fd);
  }
}

void RingMemory::remove() {
  if (path_[0] != '\0') unlink(path_);
  path_[0] = '\0';
}

void RingMemory::unmap() {
  if (data_ != nullptr) munmap(data_, size_);
  data_ = nullptr;
  detach();
}

}  // namespace evt
