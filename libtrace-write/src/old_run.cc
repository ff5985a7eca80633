#include "old_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "format-spec/src/ring_recovery.h"
#include "quiet_signals.h"
#include "ring_memory.h"
#include "sink.h"
#include "trace_file.h"

namespace evt {
namespace {

constexpr int kMostDeadRings = 16;

// A ring that some writer left. Holding its lock keeps others from saving it at the same time.
class OldRing {
 public:
  explicit OldRing(const char* name) : recovery_({&OldRing::read, this}) {
    snprintf(path_, sizeof path_, "%s/%.100s", ring::kFolder, name);
    fd_ = ::open(path_, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;
    if (fd_ < 0 || fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid()) return;
    modified_ = status.st_mtime;
    there_ = true;
    live_ = flock(fd_, LOCK_EX | LOCK_NB) != 0;
  }
  ~OldRing() {
    if (fd_ >= 0) ::close(fd_);
  }
  OldRing(const OldRing&) = delete;
  OldRing& operator=(const OldRing&) = delete;

  bool there() const { return there_; }
  bool live() const { return live_; }
  time_t modified() const { return modified_; }
  RingRecovery& recovery() { return recovery_; }
  void remove() { unlink(path_); }

 private:
  static std::size_t read(void* self, std::uint64_t offset, void* out, std::size_t size) {
    const ssize_t n = pread(static_cast<OldRing*>(self)->fd_, out, size, static_cast<off_t>(offset));
    return n > 0 ? static_cast<std::size_t>(n) : 0;
  }

  char path_[128];
  int fd_ = -1;
  bool there_ = false;
  bool live_ = false;
  time_t modified_ = 0;
  RingRecovery recovery_;
};

bool write_at(int fd, std::uint64_t offset, const std::uint8_t* bytes, std::size_t size) {
  const QuietSignals quiet;
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = pwrite(fd, bytes + done, size - done, static_cast<off_t>(offset + done));
    if (n <= 0 && (n == 0 || errno != EINTR)) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return true;
}

// Puts what the ring holds behind the last whole block of the trace. True when nothing is left in the ring alone.
bool save(OldRing& ring, TraceFile& trace) {
  RingRecovery& recovery = ring.recovery();
  Buffer blocks;
  const auto next = [](void* self, std::uint32_t stream) {
    return static_cast<TraceFile*>(self)->next_ordinal(stream);
  };
  if (!recovery.open()) return true;  // its writer was killed before it held anything
  if (recovery.session_id() != trace.session_id() || !recovery.take() ||
      !recovery.append_blocks(blocks, {next, &trace}, false)) {
    return false;
  }
  const auto end = static_cast<off_t>(trace.end());
  if (ftruncate(trace.descriptor(), end) != 0) return false;
  if (write_at(trace.descriptor(), trace.end(), blocks.data(), blocks.size())) return true;
  // No room: the ring keeps what it has, and the file ends with a whole block.
  while (ftruncate(trace.descriptor(), end) != 0 && errno == EINTR) {
  }
  return false;
}

void put_time(char* out, std::size_t size, time_t when) {
  tm utc;
  gmtime_r(&when, &utc);
  strftime(out, size, "%Y%m%dT%H%M%S", &utc);
}

// app.evt -> app.WORD.evt
bool insert_word(const char* path, const char* word, char* out, std::size_t size) {
  const char* const name = strrchr(path, '/') != nullptr ? strrchr(path, '/') + 1 : path;
  const char* const dot = strrchr(name, '.');
  const std::size_t stem = dot != nullptr && dot != name ? static_cast<std::size_t>(dot - path) : strlen(path);
  const int n = snprintf(out, size, "%.*s.%s%s", static_cast<int>(stem), path, word, path + stem);
  return n > 0 && static_cast<std::size_t>(n) < size;
}

bool rename_old(const char* path, const TraceFile& trace, char* renamed, std::size_t size) {
  char start[32];
  put_time(start, sizeof start, static_cast<time_t>(trace.start_utc_ns() / 1'000'000'000));
  for (int i = 1; i < 100; ++i) {
    char word[48];
    snprintf(word, sizeof word, i == 1 ? "%s" : "%s-%d", start, i);
    if (!insert_word(path, word, renamed, size)) return false;
    // Never over another file: link fails where rename would replace.
    if (link(path, renamed) == 0) return unlink(path) == 0;
    if (errno != EEXIST) return rename(path, renamed) == 0;
  }
  return false;
}

// app.evt -> app.<pid>.evt, or the first app.<pid>-N.evt that is not there: this program may have other sessions.
bool free_name_beside(const char* path, char* other, std::size_t size) {
  for (int i = 1; i < 10'000; ++i) {
    char word[48];
    snprintf(word, sizeof word, i == 1 ? "%d" : "%d-%d", static_cast<int>(getpid()), i);
    struct stat existing;
    if (!insert_word(path, word, other, size)) return false;
    if (lstat(other, &existing) != 0 && errno == ENOENT) return true;
  }
  return false;
}

}  // namespace

void make_way(char* path, std::size_t size, bool append, evt_error* said) {
  TraceFile trace;
  if (!trace.open(path) || trace.finished()) return;
  char name[64];
  RingMemory::name_of(trace.session_id(), name, sizeof name);
  OldRing ring(name);
  if (ring.there() && ring.live()) {
    char other[PATH_MAX];
    if (!free_name_beside(path, other, sizeof other) || strlen(other) >= size) return;
    set_error(said, EVT_OK, "%s is being written by another program: this one writes %s", path, other);
    strcpy(path, other);
    return;
  }
  const bool saved = ring.there() && save(ring, trace);
  if (append) {
    if (saved) ring.remove();
    return;
  }
  char renamed[PATH_MAX];
  if (!rename_old(path, trace, renamed, sizeof renamed)) return;
  if (saved) ring.remove();
  set_error(said, EVT_OK, "%s was not finished by the program that wrote it: it is now %s", path, renamed);
}

void tidy_rings() {
  char prefix[48];
  const int length = snprintf(prefix, sizeof prefix, "%s%u-", ring::kNamePrefix, static_cast<unsigned>(geteuid()));
  for (;;) {
    DIR* const folder = opendir(ring::kFolder);
    if (folder == nullptr) return;
    int dead = 0;
    char oldest[NAME_MAX + 1] = "";
    time_t oldest_time = 0;
    while (const dirent* const entry = readdir(folder)) {
      if (strncmp(entry->d_name, prefix, static_cast<std::size_t>(length)) != 0) continue;
      const OldRing ring(entry->d_name);
      if (!ring.there() || ring.live()) continue;
      ++dead;
      if (oldest[0] != '\0' && ring.modified() >= oldest_time) continue;
      oldest_time = ring.modified();
      strcpy(oldest, entry->d_name);
    }
    closedir(folder);
    if (dead <= kMostDeadRings) return;
    OldRing ring(oldest);
    TraceFile trace;
    if (!ring.there() || ring.live()) return;
    const bool known = ring.recovery().open() && trace.open(ring.recovery().header().output);
    if (known && !trace.finished() && trace.session_id() == ring.recovery().session_id() && !save(ring, trace)) return;
    ring.remove();
  }
}

bool expand_path(const char* pattern, char* path, std::size_t size) {
  std::size_t at = 0;
  for (const char* p = pattern; *p != '\0'; ++p) {
    char word[32] = {*p, '\0'};
    if (*p == '%' && p[1] == 'p') snprintf(word, sizeof word, "%d", static_cast<int>(getpid()));
    if (*p == '%' && p[1] == 't') put_time(word, sizeof word, time(nullptr));
    if (*p == '%' && (p[1] == 'p' || p[1] == 't' || p[1] == '%')) ++p;
    const std::size_t length = strlen(word);
    if (at + length >= size) return false;
    memcpy(path + at, word, length);
    at += length;
  }
  path[at] = '\0';
  return true;
}

}  // namespace evt
