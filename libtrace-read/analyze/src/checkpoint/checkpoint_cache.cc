#include "checkpoint_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "format-spec/src/block/crc32c.h"
#include "libtrace-read/core/src/trace/trace_data.h"

namespace evt {
namespace {

constexpr const char* kSuffix = ".checkpoints";
constexpr std::size_t kEnd = 4 << 10;  // the bytes at a trace's end of which the key has a checksum

// The effective user's, or the system's.
bool is_own_folder(const std::string& folder) {
  struct stat facts;
  if (stat(folder.empty() ? "." : folder.c_str(), &facts) != 0) return false;
  return facts.st_uid == geteuid() || facts.st_uid == 0;
}

// The folders down to this one. None in a folder of another user: root, above all, must leave no files there.
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

std::int64_t changed_ns(const std::string& file) {
  struct stat facts;
  if (file.empty() || stat(file.c_str(), &facts) != 0) return 0;
  return facts.st_mtim.tv_sec * std::int64_t{1'000'000'000} + facts.st_mtim.tv_nsec;
}

std::string hex(const Session::Uuid& uuid) {
  std::string text;
  for (const auto byte : uuid) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

std::uint32_t checksum_of_end(const Trace& trace) {
  ByteSource& source = *TraceData::of(trace).source;
  std::array<std::byte, kEnd> end;
  const std::uint64_t from = source.size() - std::min<std::uint64_t>(source.size(), end.size());
  return crc32c(0, end.data(), source.read_at(from, end.data(), end.size()));
}

}  // namespace

Status CheckpointCache::open() const {
  if (!make_folders(folder_)) {
    return {Code::kIo, fmt::format("cannot keep checkpoints in {}: {}", folder_, strerror(errno))};
  }
  struct stat facts;
  if (lstat(folder_.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
    return {Code::kIo, fmt::format("cannot keep checkpoints in {}: it is no folder", folder_)};
  }
  // In the folder of another user that one could put something else in its place at any time.
  if (facts.st_uid != geteuid() || !is_own_folder(std::filesystem::path(folder_).parent_path().string())) {
    return {Code::kIo, fmt::format("cannot keep checkpoints in {}: it is another user's", folder_)};
  }
  if ((facts.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return {Code::kIo, fmt::format("cannot keep checkpoints in {}: other users may write there", folder_)};
  }
  return {};
}

std::string CheckpointCache::path_of(const Trace& trace, const std::string& trace_file) const {
  const std::string uuid = trace.sessions().empty() ? "" : hex(trace.sessions().front().uuid);
  return fmt::format("{}/{}-{:x}-{:x}-{:08x}{}", folder_, uuid, trace.size(), changed_ns(trace_file),
                     checksum_of_end(trace), kSuffix);
}

void CheckpointCache::note_use(const std::string& path) { utimensat(AT_FDCWD, path.c_str(), nullptr, 0); }

// Another process may be doing the same: what is gone already is not missed.
void CheckpointCache::shrink(std::uint64_t max_bytes, const std::string& kept) const {
  struct Kept {
    std::filesystem::file_time_type used;
    std::uint64_t size;
    std::filesystem::path path;
  };
  std::vector<Kept> files;
  std::uint64_t bytes = 0;
  std::error_code failed;
  for (const auto& each : std::filesystem::directory_iterator(folder_, failed)) {
    // Behind the suffix, the name of a file whose maker was killed has more: such files count and go, too.
    if (each.path().filename().string().find(kSuffix) == std::string::npos || !each.is_regular_file(failed)) continue;
    const Kept file{each.last_write_time(failed), each.file_size(failed), each.path()};
    if (failed) continue;
    bytes += file.size;
    if (file.path != kept) files.push_back(file);
  }
  std::sort(files.begin(), files.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  for (const Kept& file : files) {
    if (bytes <= max_bytes) break;
    if (std::filesystem::remove(file.path, failed)) bytes -= file.size;
  }
}

}  // namespace evt
