#include "stale_recorders.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "format-spec/src/base/buffer.h"
#include "numbered_files.h"
#include "old_ring.h"

namespace evt {
namespace {

constexpr std::size_t kMaxKept = 4;
constexpr std::uint64_t kMaxBytes = 256 << 20;  // together
constexpr std::int64_t kMaxAgeNs = 7LL * 24 * 3600 * 1'000'000'000;
constexpr std::size_t kMaxNames = 1024;

struct Recorder {
  std::uint64_t session_id;
  std::uint64_t bytes;
  std::int64_t written_utc_ns;
};

// Its segments.
bool open_files(const char* folder, std::uint64_t session_id, NumberedFiles& files) {
  char name[ring::kMaxName];
  ring::name_of(session_id, name);
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (!files.open_beside(path)) return false;
  files.list_session(session_id);
  return !files.empty();
}

// The session of such a name; false if it is another name.
bool session_in(const char* name, const char* front, std::uint64_t* session_id) {
  const std::size_t length = strlen(name);
  const std::size_t before = strlen(front);
  constexpr std::size_t kDigits = 16;
  constexpr std::size_t kEnd = sizeof ring::kSegmentEnd - 1;
  if (length < before + kDigits + kEnd || strncmp(name, front, before) != 0) return false;
  if (strcmp(name + length - kEnd, ring::kSegmentEnd) != 0 || name[before + kDigits] != '.') return false;
  char* end = nullptr;
  *session_id = strtoull(name + before, &end, 16);
  return end == name + before + kDigits;
}

bool is_needed(const char* folder, std::uint64_t session_id, const NumberedFiles& files) {
  char name[ring::kMaxName];
  ring::name_of(session_id, name);
  OldRing ring(folder, name, OldRing::Wait::kNo);
  if (files.is_locked(files.count() - 1) || (ring.there() && ring.live())) return true;
  if (!ring.there() || !ring.recovery().open()) return false;
  const ring::Header& header = ring.recovery().header();
  struct stat status;
  return lstat(header.trace.path, &status) == 0 && ring::began_in(header, status.st_dev, status.st_ino);
}

void remove_recorder(const char* folder, const Recorder& recorder) {
  NumberedFiles files;
  if (!open_files(folder, recorder.session_id, files) || is_needed(folder, recorder.session_id, files)) return;
  while (!files.empty()) files.delete_oldest();
  char name[ring::kMaxName];
  ring::name_of(recorder.session_id, name);
  OldRing ring(folder, name, OldRing::Wait::kNo);
  if (ring.there() && !ring.live()) ring.remove();
}

int newer_first(const void* a, const void* b) {
  const std::int64_t x = static_cast<const Recorder*>(a)->written_utc_ns;
  const std::int64_t y = static_cast<const Recorder*>(b)->written_utc_ns;
  return x > y ? -1 : x < y ? 1 : 0;
}

// Each once.
void find(const char* folder, Buffer& found) {
  char front[48];
  snprintf(front, sizeof front, "%s%u-", ring::kNamePrefix, static_cast<unsigned>(geteuid()));
  DIR* const opened = opendir(folder);
  if (opened == nullptr) return;
  while (const dirent* const entry = readdir(opened)) {
    Recorder recorder = {};
    if (!session_in(entry->d_name, front, &recorder.session_id)) continue;
    const auto* const all = reinterpret_cast<const Recorder*>(found.data());
    const std::size_t count = found.size() / sizeof(Recorder);
    bool is_known = count == kMaxNames;
    for (std::size_t i = 0; i < count && !is_known; ++i) is_known = all[i].session_id == recorder.session_id;
    if (!is_known) found.append(&recorder, sizeof recorder);
  }
  closedir(opened);
}

}  // namespace

void reap_stale_recorders(const char* folder) {
  Buffer found;
  find(folder, found);
  auto* const all = reinterpret_cast<Recorder*>(found.data());
  std::size_t count = 0;
  for (std::size_t i = 0; i < found.size() / sizeof(Recorder); ++i) {
    NumberedFiles files;
    Recorder recorder = all[i];
    if (!open_files(folder, recorder.session_id, files) || is_needed(folder, recorder.session_id, files)) continue;
    recorder.bytes = files.bytes();
    recorder.written_utc_ns = files.written_utc_ns(files.count() - 1);
    all[count++] = recorder;
  }
  if (count > 1) qsort(all, count, sizeof(Recorder), newer_first);
  const std::int64_t now = utc_ns();
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bytes += all[i].bytes;
    const bool is_old = now - all[i].written_utc_ns > kMaxAgeNs;
    if (is_old || i >= kMaxKept || (i > 0 && bytes > kMaxBytes)) remove_recorder(folder, all[i]);
  }
}

}  // namespace evt
