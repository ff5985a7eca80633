#include "old_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format-spec/src/ring/lock_in_time.h"
#include "quiet_signals.h"

namespace evt {
namespace {

bool write_at(int fd, std::uint64_t offset, const std::uint8_t* bytes, std::size_t size) {
  const QuietSignals quiet;
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = pwrite(fd, bytes + done, size - done, static_cast<off_t>(offset + done));
    if (n <= 0 && (n == 0 || errno != EINTR)) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return true;
}

// Checks the file, because a disk may not keep what was written.
bool reads_back(int fd, std::uint64_t offset, const std::uint8_t* bytes, std::size_t size) {
  std::uint8_t there[4 << 10];
  for (std::size_t done = 0; done < size;) {
    const std::size_t wanted = size - done < sizeof there ? size - done : sizeof there;
    const ssize_t n = pread(fd, there, wanted, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || memcmp(there, bytes + done, static_cast<std::size_t>(n)) != 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

// A session's number is in the names of rings, for all to see: another user may write it into a file.
bool is_made_for(const ring::Header& ring, const TraceFile& trace) {
  return ring::writes_to(ring, trace.id().device, trace.id().inode) && trace.is_of_this_user();
}

}  // namespace

OldRing::OldRing(const char* folder, const char* name, Wait wait) : recovery_({&OldRing::read, this}) {
  const int length = snprintf(path_, sizeof path_, "%s/%s", folder, name);
  if (length < 0 || static_cast<std::size_t>(length) >= sizeof path_) return;
  fd_ = ::open(path_, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat status;
  if (fd_ < 0 || fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid()) return;
  if ((status.st_mode & 07777) != 0600) return;
  modified_ = status.st_mtim;
  size_ = static_cast<std::uint64_t>(status.st_blocks) * 512;
  live_ = wait == Wait::kNo ? flock(fd_, LOCK_SH | LOCK_NB) != 0 : !lock_in_time(fd_, LOCK_SH);
  // Another process may have saved and removed it meanwhile.
  there_ = live_ || has_name();
}

OldRing::~OldRing() {
  if (fd_ >= 0) ::close(fd_);
}

std::size_t OldRing::read(void* self, std::uint64_t offset, void* out, std::size_t size) {
  const ssize_t n = pread(static_cast<OldRing*>(self)->fd_, out, size, static_cast<off_t>(offset));
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

bool OldRing::has_name() const {
  struct stat status;
  return fstat(fd_, &status) == 0 && status.st_nlink > 0;
}

bool OldRing::remove() { return unlink(path_) == 0; }

OldRing::Saved OldRing::save_into(TraceFile& trace) {
  // Without a header its writer was killed before it held anything; but a later version's ring must not be judged here.
  if (!recovery_.open()) return recovery_.is_newer() ? Saved::kFailed : Saved::kAll;
  if (recovery_.session_id() != trace.session_id() || !is_made_for(recovery_.header(), trace)) {
    return Saved::kNotThisTrace;
  }
  if (trace.finished()) return Saved::kAll;
  Buffer blocks;
  const auto lacking = [](void* self, std::uint32_t stream, std::uint64_t from) {
    return static_cast<TraceFile*>(self)->lacking(stream, from);
  };
  if (!recovery_.take() || !trace.reread(&recovery_) || trace.has_many_gaps()) return Saved::kFailed;
  if (!recovery_.append_blocks(blocks, {lacking, &trace}, false)) return Saved::kFailed;
  const auto end = static_cast<off_t>(trace.append_at());
  if (ftruncate(trace.descriptor(), end) != 0) return Saved::kFailed;
  if (write_at(trace.descriptor(), trace.append_at(), blocks.data(), blocks.size()) &&
      reads_back(trace.descriptor(), trace.append_at(), blocks.data(), blocks.size())) {
    return Saved::kAll;
  }
  // No room: the ring keeps its rows, and the file ends with a whole block.
  while (ftruncate(trace.descriptor(), end) != 0 && errno == EINTR) {
  }
  return Saved::kFailed;
}

}  // namespace evt
