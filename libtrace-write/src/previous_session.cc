#include "previous_session.h"

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
#include "error_text.h"
#include "file_names.h"
#include "format-spec/src/ring/ring_recovery.h"
#include "quiet_signals.h"
#include "ring_memory.h"
#include "trace_file.h"

namespace evt {
namespace {

constexpr int kMaxDeadRings = 16;
constexpr int kMaxTidied = 64;  // at a time

// Somebody who only looks holds a lock for a moment.
bool lock_in_time(int fd) {
  for (int i = 0; i < 5; ++i) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    const timespec pause = {0, 2'000'000};
    nanosleep(&pause, nullptr);
  }
  return false;
}

// A ring that some writer left.
class OldRing {
 public:
  enum class Lock {
    kLook,        // so that it looks dead to others who look
    kTake,        // keeps others from saving it at the same time
    kTakeInTime,  // the same, when those who look are done
  };
  OldRing(const char* name, Lock lock) : recovery_({&OldRing::read, this}) {
    snprintf(path_, sizeof path_, "%s/%.100s", ring::kFolder, name);
    fd_ = ::open(path_, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;
    if (fd_ < 0 || fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid()) return;
    modified_ = status.st_mtim;
    const int how = lock == Lock::kLook ? LOCK_SH : LOCK_EX;
    live_ = lock == Lock::kTakeInTime ? !lock_in_time(fd_) : flock(fd_, how | LOCK_NB) != 0;
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
  bool remove() { return unlink(path_) == 0; }

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

// A disk may not keep what it was given.
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

enum class Saved { kAll, kNotThisTrace, kFailed };

// A session's number is in the names of rings, for all to see: a stranger may write it into a file of his own.
bool is_made_for(const ring::Header& ring, const TraceFile& trace) {
  return ring.output_inode != 0 && ring.output_inode == trace.id().inode && ring.output_device == trace.id().device &&
         trace.is_of_this_user();
}

// Puts what the ring holds behind what the trace holds.
Saved save(OldRing& ring, TraceFile& trace) {
  RingRecovery& recovery = ring.recovery();
  // Without a header its writer was killed before it held anything; but a later version's is not ours to judge.
  if (!recovery.open()) return recovery.is_newer() ? Saved::kFailed : Saved::kAll;
  if (recovery.session_id() != trace.session_id() || !is_made_for(recovery.header(), trace)) {
    return Saved::kNotThisTrace;
  }
  if (trace.finished()) return Saved::kAll;
  Buffer blocks;
  const auto next = [](void* self, std::uint32_t stream) {
    return static_cast<TraceFile*>(self)->next_ordinal(stream);
  };
  if (!recovery.take() || !recovery.append_blocks(blocks, {next, &trace}, false)) return Saved::kFailed;
  const auto end = static_cast<off_t>(trace.append_at());
  if (ftruncate(trace.descriptor(), end) != 0) return Saved::kFailed;
  if (write_at(trace.descriptor(), trace.append_at(), blocks.data(), blocks.size()) &&
      reads_back(trace.descriptor(), trace.append_at(), blocks.data(), blocks.size())) {
    return Saved::kAll;
  }
  // No room: the ring keeps what it has, and the file ends with a whole block.
  while (ftruncate(trace.descriptor(), end) != 0 && errno == EINTR) {
  }
  return Saved::kFailed;
}

bool rename_old(const char* path, const TraceFile& trace, char* renamed, std::size_t size) {
  char start[32];
  format_utc(trace.start_utc_ns() / 1'000'000'000, start, sizeof start);
  for (int i = 1; i < 100; ++i) {
    char word[48];
    snprintf(word, sizeof word, i == 1 ? "%s" : "%s-%d", start, i);
    if (!insert_word(path, word, renamed, size)) return false;
    if (rename_to_free(path, renamed)) return true;
    if (errno != EEXIST) return false;
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

Way give_way(char* path, std::size_t size, evt_error* notice) {
  char asked[kPathOfTwoShown];
  char given[kPathOfTwoShown];
  show_path(path, asked, sizeof asked);
  if (!take_other_name(path, size)) {
    set_error(notice, EVT_CODE_IO, "cannot write %s: another program does", asked);
    return Way::kNone;
  }
  show_path(path, given, sizeof given);
  set_error(notice, EVT_OK, "%s is being written by another program: this one writes %s", asked, given);
  return Way::kFree;
}

// Of a dead writer.
Way put_away(char* path, std::size_t size, bool append, TraceFile& trace, evt_error* notice) {
  char name[ring::kMaxName];
  ring::name_of(trace.session_id(), name);
  OldRing ring(name, OldRing::Lock::kTakeInTime);
  if (ring.there() && ring.live()) return give_way(path, size, notice);
  const bool saved = ring.there() && save(ring, trace) == Saved::kAll;
  char renamed[PATH_MAX];
  if (!append && !rename_old(path, trace, renamed, sizeof renamed)) return give_way(path, size, notice);
  if (saved) ring.remove();
  if (append) return Way::kStays;
  char asked[kPathOfTwoShown];
  char given[kPathOfTwoShown];
  show_path(path, asked, sizeof asked);
  show_path(renamed, given, sizeof given);
  set_error(notice, EVT_OK, "%s was not finished by the program that wrote it: it is now %s", asked, given);
  return Way::kFree;
}

}  // namespace

Way displace_existing(char* path, std::size_t size, bool append, const FileId& found, evt_error* notice) {
  TraceFile trace;
  const bool is_trace = trace.open(path);
  const bool opened = trace.descriptor() >= 0;
  if (opened && trace.id() != found) return Way::kChanged;
  // Its writer holds the lock of the file, or where files cannot be locked that of its ring.
  if (opened && !lock_in_time(trace.descriptor())) return give_way(path, size, notice);
  // Another program may have made way, and begun a trace here, while the lock was waited for.
  if (!name_leads_to(path, found)) return Way::kChanged;
  const bool is_unfinished = is_trace && trace.reread() && !trace.finished();
  if (trace.lacks_memory()) {
    char name[kPathShown];
    show_path(path, name, sizeof name);
    set_error(notice, EVT_CODE_MEMORY, "no memory to see what is in %s, which another program did not finish", name);
    return Way::kNone;
  }
  if (is_unfinished) return put_away(path, size, append, trace, notice);
  if (append) return Way::kStays;
  const Removed removed = remove_name_of(path, found);
  if (removed != Removed::kNo) return removed == Removed::kYes ? Way::kFree : Way::kChanged;
  char name[kPathShown];
  show_path(path, name, sizeof name);
  set_error(notice, EVT_CODE_IO, "cannot replace %s: %s", name, strerror(errno));
  return Way::kNone;
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
    const OldRing ring(entry->d_name, OldRing::Lock::kLook);
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

// Its rows go into its trace, if that is where it was. A trace that its owner has removed wants none. False if the ring
// stays.
bool reap_stale_ring(const char* name) {
  OldRing ring(name, OldRing::Lock::kTake);
  if (!ring.there() || ring.live()) return true;
  const bool understood = ring.recovery().open();
  const ring::Header& header = ring.recovery().header();
  const bool nothing_in_it = header.streams == 0 && header.log_total == 0;  // its writer was killed as it began
  if (!understood || header.output[0] == '\0') {
    return (understood ? nothing_in_it : !ring.recovery().is_newer()) && ring.remove();
  }
  TraceFile trace;
  const bool is_trace = trace.open(header.output);
  if (trace.descriptor() < 0 && errno == ENOENT) return ring.remove();
  const bool saved = is_trace && save(ring, trace) == Saved::kAll;
  return (saved || nothing_in_it) && ring.remove();
}

}  // namespace

void tidy_rings() {
  char prefix[48];
  snprintf(prefix, sizeof prefix, "%s%u-", ring::kNamePrefix, static_cast<unsigned>(geteuid()));
  char name[NAME_MAX + 1] = "";
  timespec when = {};
  // Those that have to stay push no others out: rows of a program that has just been killed wait for its next run.
  int stay = 0;
  for (int i = 0; i < kMaxTidied; ++i) {
    if (find_next(prefix, name, &when) - stay <= kMaxDeadRings || name[0] == '\0') return;
    if (!reap_stale_ring(name)) ++stay;
  }
}

}  // namespace evt
