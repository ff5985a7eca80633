// The folders that may contain rings, FORMAT.md section 12: a closed list, because a ring's name comes from an
// untrusted file.
#pragma once

#include <limits.h>

#include <cstddef>

namespace evt {

// In the order in which they are searched. Returned pointers are valid as long as it.
class RingFolders {
 public:
  static constexpr std::size_t kMaxPath = 512;  // limit for all but the trace's folder

  // `trace`: the path of the trace whose rings are searched; its folder is the last one; null: no trace. Of one that is
  // seen through /proc/N/root, /dev/shm is searched there, too. The environment is ignored in a program that runs with
  // more rights than its user.
  explicit RingFolders(const char* trace = nullptr);
  RingFolders(const RingFolders&) = delete;
  RingFolders& operator=(const RingFolders&) = delete;

  const char* const* begin() const { return all_; }
  const char* const* end() const { return all_ + count_; }
  // Folders in which a writer makes its ring, the first ones: the one that the environment names, and /dev/shm.
  const char* const* end_for_writers() const { return all_ + for_writers_; }
  // The value of EVTRACE_RING_DIR if it is not a usable folder; else null.
  const char* misfit() const { return misfit_; }

 private:
  void add(const char* folder);

  char own_[kMaxPath];
  char runtime_[kMaxPath];
  char of_root_[64];
  char of_trace_[PATH_MAX];
  const char* all_[5];
  std::size_t count_ = 0;
  std::size_t for_writers_ = 0;
  const char* misfit_ = nullptr;
};

}  // namespace evt
