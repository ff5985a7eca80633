// A ring that an earlier writer left, and how its rows get into its trace.
#pragma once

#include <limits.h>
#include <time.h>

#include "format-spec/src/ring/ring_recovery.h"
#include "trace_file.h"

namespace evt {

// A file of this user, mode 0600, not a link; looked at once, when this is made. Shares the lock of a dead writer's
// ring with all others that look at it: a process that saves it holds the lock of its trace, too.
class OldRing {
 public:
  // Waits for programs of earlier versions, which briefly hold the lock of a dead writer's ring.
  enum class Wait { kNo, kInTime };
  OldRing(const char* folder, const char* name, Wait wait);
  ~OldRing();
  OldRing(const OldRing&) = delete;
  OldRing& operator=(const OldRing&) = delete;

  bool there() const { return there_; }
  // Its writer holds the lock.
  bool live() const { return live_; }
  // It has not been removed since.
  bool has_name() const;
  timespec modified() const { return modified_; }
  std::uint64_t size() const { return size_; }  // bytes of memory, or of the disk
  RingRecovery& recovery() { return recovery_; }

  enum class Saved { kAll, kNotThisTrace, kFailed };
  // Appends the ring's rows to the trace. REQUIRES: the trace is locked.
  Saved save_into(TraceFile& trace);
  bool remove();

 private:
  static std::size_t read(void* self, std::uint64_t offset, void* out, std::size_t size);

  char path_[PATH_MAX];
  int fd_ = -1;
  bool there_ = false;
  bool live_ = false;
  timespec modified_ = {};
  std::uint64_t size_ = 0;
  RingRecovery recovery_;
};

}  // namespace evt
