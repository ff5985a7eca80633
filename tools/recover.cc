#include "recover.h"

#include <errno.h>
#include <evt/trace.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <vector>

namespace evt::tools {
namespace {

// The lock of a ring whose writer is dead, so that nobody else puts it into a file at the same time.
class DeadRing {
 public:
  explicit DeadRing(std::string path)
      : path_(std::move(path)), fd_(open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {
    held_ = fd_ >= 0 && flock(fd_, LOCK_EX | LOCK_NB) == 0;
  }
  ~DeadRing() {
    if (fd_ >= 0) close(fd_);
  }
  DeadRing(const DeadRing&) = delete;
  DeadRing& operator=(const DeadRing&) = delete;

  bool held() const { return held_; }
  void remove() const { unlink(path_.c_str()); }

 private:
  std::string path_;
  int fd_;
  bool held_ = false;
};

bool is_same_file(const std::string& a, const std::string& b) {
  struct stat one;
  struct stat other;
  return stat(a.c_str(), &one) == 0 && stat(b.c_str(), &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

// Puts the blocks behind the last whole one of the file. What is there already is not changed.
bool append_blocks(const std::string& file, const Trace::Recovery& recovery) {
  const int fd = open(file.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const auto end = static_cast<off_t>(recovery.file_size);
  bool written = ftruncate(fd, end) == 0;
  for (std::size_t done = 0; written && done < recovery.blocks.size();) {
    const ssize_t n =
        pwrite(fd, recovery.blocks.data() + done, recovery.blocks.size() - done, end + static_cast<off_t>(done));
    if (n > 0) done += static_cast<std::size_t>(n);
    written = n > 0 || (n < 0 && errno == EINTR);
  }
  const int reason = errno;
  if (!written && ftruncate(fd, end) != 0) return false;
  if (close(fd) != 0) return false;
  errno = reason;
  return written;
}

}  // namespace

int recover(const std::string& file, const Report& report) {
  if (file == "-") {
    report.say("standard input cannot be recovered: name the file");
    return kExitNoAnswer;
  }
  auto first = Trace::open(file);
  if (!first) return report.no_answer(first.status());
  // A copy must not take away the ring of the trace that it was made of.
  for (const std::string& trace : first->recovery().traces) {
    if (trace.empty() || is_same_file(trace, file)) continue;
    report.say(fmt::format("{}: its ring belongs to {}: recover that one", file, trace));
    return kExitPartly;
  }
  std::vector<std::unique_ptr<DeadRing>> rings;
  for (const std::string& path : first->recovery().rings) {
    rings.push_back(std::make_unique<DeadRing>(path));
    if (rings.back()->held()) continue;
    report.say(file + ": its writer still runs: there is nothing to recover yet");
    return kExitPartly;
  }
  if (rings.empty()) return kExitOk;
  // Again, now that nobody writes any more.
  auto trace = Trace::open(file);
  if (!trace) return report.no_answer(trace.status());
  const Trace::Recovery& recovery = trace->recovery();
  if (!append_blocks(file, recovery)) {
    return report.no_answer({Code::kIo, fmt::format("cannot write {}: {}", file, strerror(errno))});
  }
  for (const auto& ring : rings) ring->remove();
  std::uint64_t rows = 0;
  for (const Session& session : trace->sessions()) rows += session.ring_rows;
  report.say(fmt::format("{}: {} row{} from its ring {} in the file now", file, rows, rows == 1 ? "" : "s",
                         rows == 1 ? "is" : "are"));
  return kExitOk;
}

}  // namespace evt::tools
