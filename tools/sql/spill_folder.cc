#include "sql/spill_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "user_folders.h"

namespace evt::tools {
namespace {

constexpr const char* kPrefix = "sql-";
constexpr int kAttempts = 10;

// A descriptor that holds the lock; -1: another process holds it, or the folder is gone.
int lock_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return -1;
  struct stat facts = {};
  // Another process may have removed it before the lock was there.
  if (flock(folder, LOCK_EX | LOCK_NB) == 0 && fstat(folder, &facts) == 0 && facts.st_nlink > 0) return folder;
  ::close(folder);
  return -1;
}

void remove_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
}

void remove_those_of_dead(const std::string& cache) {
  std::error_code error;
  for (std::filesystem::directory_iterator each(cache, error), end; !error && each != end; each.increment(error)) {
    const std::string path = each->path().string();
    if (!each->path().filename().string().starts_with(kPrefix)) continue;
    const int lock = lock_folder(path);
    if (lock < 0) continue;
    remove_folder(path);
    ::close(lock);
  }
}

}  // namespace

SpillFolder::SpillFolder() {
  const std::string cache = cache_folder();
  if (cache.empty() || !make_private_folder(cache)) return;
  remove_those_of_dead(cache);
  // Another process that begins now may remove it before it is locked.
  for (int i = 0; i < kAttempts && lock_ < 0; ++i) {
    std::string path = fmt::format("{}/{}XXXXXX", cache, kPrefix);
    if (mkdtemp(path.data()) == nullptr) return;
    lock_ = lock_folder(path);
    if (lock_ >= 0) path_ = path;
  }
}

SpillFolder::~SpillFolder() {
  if (lock_ < 0) return;
  remove_folder(path_);
  ::close(lock_);
}

}  // namespace evt::tools
