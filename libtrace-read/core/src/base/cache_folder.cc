#include <errno.h>
#include <evt/cache_folder.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace evt {
namespace {

// True if it belongs to the effective user, or to the system.
bool is_own_folder(const std::string& folder) {
  struct stat facts;
  if (stat(folder.empty() ? "." : folder.c_str(), &facts) != 0) return false;
  return facts.st_uid == geteuid() || facts.st_uid == 0;
}

// Makes the folders down to this one. None in a folder of another user: root, above all, must leave no files there.
bool make_folders(const std::filesystem::path& folder) {
  if (access(folder.c_str(), F_OK) == 0) return true;
  const std::filesystem::path parent = folder.parent_path();
  if (parent == folder || !make_folders(parent)) return false;
  if (!is_own_folder(parent.string())) {
    errno = EACCES;
    return false;
  }
  return mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST;
}

}  // namespace

CacheFolder::CacheFolder(std::string path, std::string what, std::string suffix)
    : path_(std::move(path)), what_(std::move(what)), suffix_(std::move(suffix)) {}

Status CacheFolder::error(const char* why) const {
  return {Code::kIo, fmt::format("cannot keep {} in {}: {}", what_, path_, why)};
}

Status CacheFolder::open() const { return make_folders(path_) ? check() : error(strerror(errno)); }

Status CacheFolder::check() const {
  struct stat facts;
  if (lstat(path_.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) return error("it is no folder");
  // The owner of the parent could replace it at any time.
  if (facts.st_uid != geteuid() || !is_own_folder(std::filesystem::path(path_).parent_path().string())) {
    return error("it is another user's");
  }
  if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0) return error("other users may write there");
  return {};
}

void CacheFolder::note_use(const std::string& file) { utimensat(AT_FDCWD, file.c_str(), nullptr, 0); }

// Another process may be doing the same: files that are already gone do not matter.
void CacheFolder::shrink(std::uint64_t most_bytes, const std::string& kept) const {
  struct Kept {
    std::filesystem::file_time_type used;
    std::uint64_t size;
    std::filesystem::path path;
  };
  std::vector<Kept> files;
  std::uint64_t bytes = 0;
  std::error_code failed;
  for (const auto& each : std::filesystem::directory_iterator(path_, failed)) {
    // A file whose maker was killed has more after the suffix: such files count and are removed, too.
    if (each.path().filename().string().find(suffix_) == std::string::npos || !each.is_regular_file(failed)) continue;
    const Kept file{each.last_write_time(failed), each.file_size(failed), each.path()};
    if (failed) continue;
    bytes += file.size;
    if (file.path != kept) files.push_back(file);
  }
  std::ranges::sort(files, {}, &Kept::used);
  for (const Kept& file : files) {
    if (bytes <= most_bytes) break;
    if (std::filesystem::remove(file.path, failed)) bytes -= file.size;
  }
}

}  // namespace evt
