#include "stale_rings.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "clock.h"
#include "format-spec/src/base/buffer.h"
#include "old_ring.h"

namespace evt {
namespace {

constexpr std::size_t kMaxWithTrace = 16;  // that have traces
// Rings that no trace needs, or whose trace cannot be found.
constexpr std::size_t kMaxOrphans = 8;
constexpr std::uint64_t kShareOfOrphans = 8;  // all of them together: an eighth of the folder's space
constexpr time_t kMaxOrphanAge = 7 * 24 * 3600;
constexpr int kMaxReaped = 64;  // at a time
constexpr std::size_t kMaxLooked = 1024;

// What can still be done with the rows of a ring.
enum class RowsOf : std::uint8_t {
  kTrace,    // they go into their trace, which is where it was
  kNothing,  // the trace is gone, or was not a file; or there are no rows
  kUnknown,  // their trace may be anywhere
  kOthers,   // a later version wrote them, which this version cannot judge
};

// A ring whose writer is dead.
struct DeadRing {
  char name[ring::kMaxName];
  timespec modified;
  std::uint64_t size;
  RowsOf rows;
};

RowsOf rows_of(OldRing& ring) {
  if (!ring.recovery().open()) return ring.recovery().is_newer() ? RowsOf::kOthers : RowsOf::kNothing;
  const ring::Header& header = ring.recovery().header();
  const bool nothing_in_it = header.streams == 0 && header.log_total == 0;  // its writer was killed as it began
  const ring::Output* const output = ring::output_of(header);
  if (nothing_in_it || (output != nullptr && output->inode == 0)) return RowsOf::kNothing;
  struct stat status;
  if (output == nullptr || output->path[0] == '\0') return RowsOf::kUnknown;
  // Segments are moved away while others are recorded: an absent one may come back.
  const bool may_be_moved = output->segment > 0;
  if (lstat(output->path, &status) != 0) {
    return errno == ENOENT && !may_be_moved ? RowsOf::kNothing : RowsOf::kUnknown;
  }
  return ring::writes_to(header, status.st_dev, status.st_ino) ? RowsOf::kTrace : RowsOf::kUnknown;
}

// Puts the rows of a ring into its trace, and removes the ring if that worked. Another program may have done so, or
// have appended to the trace, while it held the trace's lock.
void save_and_remove(OldRing& ring) {
  TraceFile trace;
  const bool is_ours = trace.open(ring::path_of(ring.recovery().header())) && trace.lock();
  if (!is_ours || !ring.has_name() || !trace.reread()) return;
  if (ring.save_into(trace) == OldRing::Saved::kAll) ring.remove();
}

// Rings in a folder, the newest first.
class DeadRings {
 public:
  explicit DeadRings(const char* folder) : folder_(folder) { find(); }

  // Within the limits, whatever they hold: so their content does not matter, and no trace is looked for.
  bool are_few() const {
    return count() <= kMaxOrphans && size_ <= share_ && (count() == 0 || !is_old(ring(count() - 1)));
  }

  void look_at_all() {
    for (std::size_t i = 0; i < count(); ++i) {
      DeadRing& dead = reinterpret_cast<DeadRing*>(found_.data())[i];
      OldRing old(folder_, dead.name, OldRing::Wait::kNo);
      dead.rows = old.there() && !old.live() ? rows_of(old) : RowsOf::kOthers;
    }
  }

  void remove_orphans() {
    std::size_t orphans = 0;
    std::uint64_t size = 0;
    for (std::size_t i = 0; i < count(); ++i) {
      const DeadRing& dead = ring(i);
      bool goes = is_old(dead);
      if (dead.rows == RowsOf::kNothing) {
        ++orphans;
        size += dead.size;
        goes |= orphans > kMaxOrphans || (orphans > 1 && size > share_);
      }
      if (goes && (dead.rows == RowsOf::kNothing || dead.rows == RowsOf::kUnknown)) reap(dead);
    }
  }

  // Those that must stay do not displace others: rows of a program that has just been killed wait for its next run.
  void save_oldest() {
    std::size_t with_trace = 0;
    for (std::size_t i = 0; i < count(); ++i) with_trace += ring(i).rows == RowsOf::kTrace ? 1 : 0;
    for (std::size_t i = count(); i > 0 && with_trace > kMaxWithTrace; --i) {
      if (ring(i - 1).rows != RowsOf::kTrace) continue;
      --with_trace;
      reap(ring(i - 1));
    }
  }

 private:
  std::size_t count() const { return found_.size() / sizeof(DeadRing); }
  const DeadRing& ring(std::size_t i) const { return reinterpret_cast<const DeadRing*>(found_.data())[i]; }
  bool is_old(const DeadRing& ring) const { return now_ - ring.modified.tv_sec > kMaxOrphanAge; }

  void find() {
    struct statvfs space;
    DIR* const folder = statvfs(folder_, &space) == 0 ? opendir(folder_) : nullptr;
    if (folder == nullptr) return;
    share_ = std::uint64_t{space.f_blocks} * space.f_frsize / kShareOfOrphans;
    now_ = utc_ns() / 1'000'000'000;
    char prefix[48];
    snprintf(prefix, sizeof prefix, "%s%u-", ring::kNamePrefix, static_cast<unsigned>(geteuid()));
    while (const dirent* const entry = readdir(folder)) {
      DeadRing found = {};
      const std::size_t length = strlen(entry->d_name);
      if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 || length >= sizeof found.name) continue;
      if (!ring::is_ring_name(entry->d_name)) continue;
      const OldRing ring(folder_, entry->d_name, OldRing::Wait::kNo);
      if (!ring.there() || ring.live()) continue;
      memcpy(found.name, entry->d_name, length);
      found.modified = ring.modified();
      found.size = ring.size();
      size_ += found.size;
      if (count() < kMaxLooked) found_.append(&found, sizeof found);
    }
    closedir(folder);
    if (count() > 1) qsort(found_.data(), count(), sizeof(DeadRing), newer_first);
  }

  // Looks again: what was found may have changed.
  void reap(const DeadRing& ring) {
    if (++reaped_ > kMaxReaped) return;
    OldRing old(folder_, ring.name, OldRing::Wait::kNo);
    if (!old.there() || old.live() || rows_of(old) != ring.rows) return;
    if (ring.rows == RowsOf::kTrace) {
      save_and_remove(old);
    } else {
      old.remove();
    }
  }

  static int newer_first(const void* a, const void* b) {
    const timespec x = static_cast<const DeadRing*>(a)->modified;
    const timespec y = static_cast<const DeadRing*>(b)->modified;
    if (x.tv_sec != y.tv_sec) return x.tv_sec > y.tv_sec ? -1 : 1;
    return x.tv_nsec > y.tv_nsec ? -1 : x.tv_nsec < y.tv_nsec ? 1 : 0;
  }

  const char* folder_;
  std::uint64_t share_ = 0;  // part of the folder's space, for rings that no trace needs
  std::uint64_t size_ = 0;
  time_t now_ = 0;
  int reaped_ = 0;
  Buffer found_;  // DeadRing elements
};

}  // namespace

void reap_stale_rings(const char* folder) {
  DeadRings rings(folder);
  if (rings.are_few()) return;
  rings.look_at_all();
  rings.remove_orphans();
  rings.save_oldest();
}

}  // namespace evt
