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

#include "calendar.h"
#include "clock.h"
#include "format-spec/src/ring_recovery.h"
#include "quiet_signals.h"
#include "ring_memory.h"
#include "sink.h"
#include "trace_file.h"

namespace evt {
namespace {

constexpr int kMostDeadRings = 16;
constexpr int kMostTidied = 64;  // at a time

// Somebody who only looks holds a lock for a moment.
bool lock_in_time(int fd) {
  for (int i = 0; i < 5; ++i) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    const timespec pause = {0, 2'000'000};
    nanosleep(&pause, nullptr);
  }
  return false;
}

// A ring that some writer left. Holding its lock keeps others from saving it at the same time.
class OldRing {
 public:
  explicit OldRing(const char* name, bool patient = false) : recovery_({&OldRing::read, this}) {
    snprintf(path_, sizeof path_, "%s/%.100s", ring::kFolder, name);
    fd_ = ::open(path_, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;
    if (fd_ < 0 || fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid()) return;
    modified_ = status.st_mtim;
    live_ = patient ? !lock_in_time(fd_) : flock(fd_, LOCK_EX | LOCK_NB) != 0;
    // Somebody may have saved and removed it meanwhile.
    there_ = live_ || (fstat(fd_, &status) == 0 && status.st_nlink > 0);
  }
  ~OldRing() {
    if (fd_ >= 0) ::close(fd_);
  }
  OldRing(const OldRing&) = delete;
  OldRing& operator=(const OldRing&) = delete;

  bool there() const { return there_; }
  bool live() const { return live_; }
  timespec modified() const { return modified_; }
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
  timespec modified_ = {};
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

enum class Saved { kAll, kNotThisTrace, kFailed };

// Puts what the ring holds behind what the trace holds.
Saved save(OldRing& ring, TraceFile& trace) {
  RingRecovery& recovery = ring.recovery();
  // Without a header its writer was killed before it held anything; but a later version's is not ours to judge.
  if (!recovery.open()) return recovery.is_newer() ? Saved::kFailed : Saved::kAll;
  if (recovery.session_id() != trace.session_id()) return Saved::kNotThisTrace;
  if (trace.finished()) return Saved::kAll;
  Buffer blocks;
  const auto next = [](void* self, std::uint32_t stream) {
    return static_cast<TraceFile*>(self)->next_ordinal(stream);
  };
  if (!recovery.take() || !recovery.append_blocks(blocks, {next, &trace}, false)) return Saved::kFailed;
  const auto end = static_cast<off_t>(trace.append_at());
  if (ftruncate(trace.descriptor(), end) != 0) return Saved::kFailed;
  if (write_at(trace.descriptor(), trace.append_at(), blocks.data(), blocks.size())) return Saved::kAll;
  // No room: the ring keeps what it has, and the file ends with a whole block.
  while (ftruncate(trace.descriptor(), end) != 0 && errno == EINTR) {
  }
  return Saved::kFailed;
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
  format_utc(trace.start_utc_ns() / 1'000'000'000, start, sizeof start);
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
bool take_other_name(char* path, std::size_t size) {
  char other[PATH_MAX];
  for (int i = 1; i < 10'000; ++i) {
    char word[48];
    snprintf(word, sizeof word, i == 1 ? "%d" : "%d-%d", static_cast<int>(getpid()), i);
    struct stat existing;
    if (!insert_word(path, word, other, sizeof other) || strlen(other) >= size) return false;
    if (lstat(other, &existing) == 0 || errno != ENOENT) continue;
    memcpy(path, other, strlen(other) + 1);
    return true;
  }
  return false;
}

bool give_way(char* path, std::size_t size, evt_error* said) {
  char asked[PATH_MAX];
  snprintf(asked, sizeof asked, "%s", path);
  if (!take_other_name(path, size)) {
    set_error(said, EVT_CODE_IO, "cannot write %.160s: another program does", asked);
    return false;
  }
  set_error(said, EVT_OK, "%.110s is being written by another program: this one writes %.110s", asked, path);
  return true;
}

}  // namespace

bool make_way(char* path, std::size_t size, bool append, evt_error* said) {
  TraceFile trace;
  const bool is_trace = trace.open(path);
  // Its writer holds the lock of the file, or where files cannot be locked that of its ring.
  if (trace.descriptor() >= 0 && !lock_in_time(trace.descriptor())) return give_way(path, size, said);
  if (is_trace && trace.reread() && !trace.finished()) {
    char name[64];
    RingMemory::name_of(trace.session_id(), name, sizeof name);
    OldRing ring(name, true);
    if (ring.there() && ring.live()) return give_way(path, size, said);
    const bool saved = ring.there() && save(ring, trace) == Saved::kAll;
    char renamed[PATH_MAX];
    if (!append && !rename_old(path, trace, renamed, sizeof renamed)) return give_way(path, size, said);
    if (saved) ring.remove();
    if (append) return true;
    set_error(said, EVT_OK, "%.110s was not finished by the program that wrote it: it is now %.110s", path, renamed);
    return true;
  }
  if (append || unlink(path) == 0 || errno == ENOENT) return true;
  set_error(said, EVT_CODE_IO, "cannot replace %.160s: %s", path, strerror(errno));
  return false;
}

namespace {

// The oldest dead ring that is younger than the one in `name` and `when`, which it replaces; how many dead ones there
// are.
int find_next(const char* prefix, char* name, timespec* when) {
  DIR* const folder = opendir(ring::kFolder);
  if (folder == nullptr) return 0;
  int dead = 0;
  char next[NAME_MAX + 1] = "";
  timespec next_when = {};
  const auto before = [](const timespec& a, const timespec& b) {
    return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec : a.tv_nsec < b.tv_nsec;
  };
  while (const dirent* const entry = readdir(folder)) {
    if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0) continue;
    const OldRing ring(entry->d_name);
    if (!ring.there() || ring.live()) continue;
    ++dead;
    if (!before(*when, ring.modified()) || (next[0] != '\0' && !before(ring.modified(), next_when))) continue;
    next_when = ring.modified();
    snprintf(next, sizeof next, "%s", entry->d_name);
  }
  closedir(folder);
  memcpy(name, next, sizeof next);
  *when = next_when;
  return dead;
}

// Its rows go into its trace, if that is where it was. A trace that its owner has removed wants none.
void tidy(const char* name) {
  OldRing ring(name);
  if (!ring.there() || ring.live()) return;
  const bool understood = ring.recovery().open();
  const ring::Header& header = ring.recovery().header();
  struct stat status;
  const bool nothing_in_it = header.streams == 0 && header.log_total == 0;  // its writer was killed as it began
  if (!understood || header.output[0] == '\0') {
    if (understood ? nothing_in_it : !ring.recovery().is_newer()) ring.remove();
    return;
  }
  if (stat(header.output, &status) != 0) {
    if (errno == ENOENT) ring.remove();
    return;
  }
  const bool same = status.st_dev == header.output_device && status.st_ino == header.output_inode;
  TraceFile trace;
  const bool saved = same && trace.open(header.output) && save(ring, trace) == Saved::kAll;
  if (saved || nothing_in_it) ring.remove();
}

}  // namespace

void tidy_rings() {
  char prefix[48];
  snprintf(prefix, sizeof prefix, "%s%u-", ring::kNamePrefix, static_cast<unsigned>(geteuid()));
  char name[NAME_MAX + 1] = "";
  timespec when = {};
  for (int i = 0; i < kMostTidied && find_next(prefix, name, &when) > kMostDeadRings && name[0] != '\0'; ++i)
    tidy(name);
}

bool expand_path(const char* pattern, char* path, std::size_t size) {
  std::size_t at = 0;
  for (const char* p = pattern; *p != '\0'; ++p) {
    char word[32] = {*p, '\0'};
    if (*p == '%' && p[1] == 'p') snprintf(word, sizeof word, "%d", static_cast<int>(getpid()));
    if (*p == '%' && p[1] == 't') format_utc(utc_ns() / 1'000'000'000, word, sizeof word);
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
