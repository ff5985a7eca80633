// A ring that some writer left, and how what it holds goes into its trace.
#pragma once

#include <limits.h>
#include <time.h>

#include "format-spec/src/ring/ring_recovery.h"
#include "trace_file.h"

namespace evt {

// A file of this user, mode 0600, and no link, which is looked at once, when this is made. Shares the lock of a dead
// writer's ring with all others who look at it: who saves it holds the lock of its trace, too.
class OldRing {
 public:
  // Whether it waits for programs of earlier versions, which hold the lock of a dead writer's ring for a moment.
  enum class Wait { kNo, kInTime };
  OldRing(const char* folder, const char* name, Wait wait);
  ~OldRing();
  OldRing(const OldRing&) = delete;
  OldRing& operator=(const OldRing&) = delete;

  bool there() const { return there_; }
  // Its writer has the lock.
  bool live() const { return live_; }
  // It has not been removed since.
  bool has_name() const;
  timespec modified() const { return modified_; }
  std::uint64_t size() const { return size_; }  // bytes of memory, or of the disk
  RingRecovery& recovery() { return recovery_; }

  enum class Saved { kAll, kNotThisTrace, kFailed };
  // Puts what it holds behind what the trace holds. REQUIRES: the trace is locked.
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
