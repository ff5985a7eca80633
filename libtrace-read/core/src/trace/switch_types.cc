// Part of <evt/switch_types.h>.
#include <errno.h>
#include <evt/switch_types.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "format-spec/src/ring/control_page.h"
#include "libtrace-read/core/src/base/read_at.h"
#include "ring_file.h"

namespace evt {
namespace {

constexpr int kMostTries = 100;
constexpr timespec kBetweenTries = {0, 10'000'000};

Status io_error(const RingInfo& ring) {
  return {Code::kIo, fmt::format("cannot write {}: {}", ring.path, strerror(errno))};
}

// The page of a ring that was opened for writing; one process asks at a time.
class Page {
 public:
  Page(int fd, std::uint64_t at) : fd_(fd), at_(at) {}
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  ~Page() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool lock() const {
    struct flock range = {};
    range.l_type = F_WRLCK;
    range.l_start = static_cast<off_t>(at_);
    range.l_len = sizeof(ring::ControlPage);
    for (int i = 0; ::fcntl(fd_, F_OFD_SETLK, &range) != 0; ++i) {
      if (i == kMostTries || (errno != EAGAIN && errno != EACCES)) return false;
      ::nanosleep(&kBetweenTries, nullptr);
    }
    return true;
  }
  std::uint64_t word(std::size_t offset) const {
    std::uint64_t word = 0;
    read_at(fd_, at_ + offset, &word, sizeof word);
    return word;
  }
  bool store(std::size_t offset, const void* bytes, std::size_t size) const {
    return ::pwrite(fd_, bytes, size, static_cast<off_t>(at_ + offset)) == static_cast<ssize_t>(size);
  }
  // Not by those that read it meanwhile: the number, which makes it valid, is stored last.
  bool store(const ring::Switch& asked) const {
    const std::size_t place = (asked.number - 1) % ring::kSwitches;
    const std::size_t at = offsetof(ring::ControlPage, switches) + place * sizeof asked;
    ring::Switch begun = asked;
    begun.number = 0;
    return store(at, &begun, sizeof begun) && store(at, &asked.number, sizeof asked.number) &&
           store(offsetof(ring::ControlPage, generation), &asked.number, sizeof asked.number);
  }

 private:
  int fd_;
  std::uint64_t at_;
};

// Where the page is, in a ring whose writer lives.
Result<std::uint64_t> place_of_page(const RingInfo& ring) {
  const auto opened = RingFile::open(ring.path, ring.user);
  if (!opened) return Status(opened.status().code(), fmt::format("{}: {}", ring.path, opened.status().message()));
  RingFile& file = **opened;
  if (!file.live()) return Status(Code::kInvalid, "the program has ended");
  if (!file.recovery().open()) return Status(Code::kInvalid, ring.path + " is no ring of this version");
  const std::uint64_t at = file.recovery().header().control_offset;
  if (at % ring::kPage != 0 || at == 0 || at + ring::kPage > file.recovery().header().areas_offset) {
    return Status(Code::kInvalid, ring.path + " has no control page");
  }
  return at;
}

}  // namespace

Result<bool> switch_types(const RingInfo& ring, const std::string& glob, bool on) {
  ring::Switch asked = {};
  if (glob.empty() || glob.size() >= sizeof asked.glob) {
    return Status(Code::kInvalid, fmt::format("a pattern has 1 to {} bytes", sizeof asked.glob - 1));
  }
  const auto at = place_of_page(ring);
  if (!at) return at.status();
  const Page page(::open(ring.path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), *at);
  if (!page.lock()) return io_error(ring);
  const std::uint64_t before = page.word(offsetof(ring::ControlPage, generation));
  if (before - page.word(offsetof(ring::ControlPage, applied)) >= ring::kSwitches) {
    return Status(Code::kInvalid, fmt::format("{} switches wait for it already", ring::kSwitches));
  }
  asked.number = before + 1;
  asked.user = ::geteuid();
  asked.process = static_cast<std::uint32_t>(::getpid());
  asked.on = on ? 1 : 0;
  glob.copy(asked.glob, sizeof asked.glob - 1);
  if (!page.store(asked)) return io_error(ring);
  for (int i = 0; i < kMostTries; ++i) {
    if (page.word(offsetof(ring::ControlPage, applied)) >= asked.number) return true;
    ::nanosleep(&kBetweenTries, nullptr);
  }
  return false;
}

}  // namespace evt
