// A ring that some writer left, and how what it holds goes into its trace.
#pragma once

#include <limits.h>
#include <time.h>

#include "format-spec/src/ring/ring_recovery.h"
#include "trace_file.h"

namespace evt {

// The longest that one waits for another process that only looks, which holds a lock for a moment; false when the lock
// could not be had in that time.
bool lock_in_time(int fd);

// A file of this user, mode 0600, and no link, which is looked at once, when this is made.
class OldRing {
 public:
  enum class Lock {
    kLook,        // so that it looks dead to others who look
    kTake,        // keeps others from saving it at the same time
    kTakeInTime,  // the same, when those who look are done
  };
  OldRing(const char* folder, const char* name, Lock lock);
  ~OldRing();
  OldRing(const OldRing&) = delete;
  OldRing& operator=(const OldRing&) = delete;

  bool there() const { return there_; }
  bool live() const { return live_; }
  timespec modified() const { return modified_; }
  std::uint64_t size() const { return size_; }  // bytes of memory, or of the disk
  RingRecovery& recovery() { return recovery_; }

  enum class Saved { kAll, kNotThisTrace, kFailed };
  // Puts what it holds behind what the trace holds.
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
