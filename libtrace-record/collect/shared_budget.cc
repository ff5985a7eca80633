#include "shared_budget.h"

#include <evt/trace.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <vector>

namespace evt::record {
namespace {

namespace fs = std::filesystem;

struct File {
  std::int64_t written_ns;
  std::string path;
  std::uint64_t size;
  std::string process;
};

// PID.000001.evt
std::string process_of(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.substr(0, name.find('.'));
}

// The writer of a file that is being written holds its lock.
bool is_closed(const std::string& path, bool is_last) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  bool closed = ::flock(fd, LOCK_SH | LOCK_NB) == 0;
  if (closed && is_last) {
    const auto trace = Trace::open(fd, path, {.rings = false});
    closed = trace && !trace->sessions().empty() && trace->sessions().back().closed;
  }
  ::close(fd);
  return closed;
}

}  // namespace

void SharedBudget::enforce_at_times() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  enforce();
  next_ = now + std::chrono::milliseconds(200);
}

void SharedBudget::enforce() {
  if (bytes_ == 0) return;
  std::vector<File> files;
  std::map<std::string, std::size_t> counts;
  std::uint64_t sum = 0;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    struct stat facts;
    if (at->path().extension() != ".evt" || ::lstat(at->path().c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) {
      continue;
    }
    const std::int64_t written = std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec;
    files.push_back({written, at->path().string(), static_cast<std::uint64_t>(facts.st_size), process_of(at->path())});
    sum += files.back().size;
    ++counts[files.back().process];
  }
  if (sum <= bytes_) return;
  std::ranges::sort(files, [](const File& a, const File& b) {
    return std::tie(a.written_ns, a.path) < std::tie(b.written_ns, b.path);
  });
  for (const File& file : files) {
    if (sum <= bytes_) return;
    std::size_t& left = counts[file.process];
    if (!is_closed(file.path, left == 1) || ::unlink(file.path.c_str()) != 0) continue;
    sum -= file.size;
    if (--left == 0) gone_.insert(file.process);
  }
}

}  // namespace evt::record
