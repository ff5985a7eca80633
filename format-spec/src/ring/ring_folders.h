// The folders in which rings are, FORMAT.md section 12: a closed list, as a ring's name comes from a file that a
// stranger may have made.
#pragma once

#include <limits.h>

#include <cstddef>

namespace evt {

// In the order in which they are looked at. Pointers that it returns are valid as long as it.
class RingFolders {
 public:
  static constexpr std::size_t kMaxPath = 512;  // of all but the trace's folder

  // `trace`: the path of the trace that the rings are looked for, whose folder is the last one; null: no trace. The
  // environment of a program that runs with more rights than its user is not heeded.
  explicit RingFolders(const char* trace = nullptr);
  RingFolders(const RingFolders&) = delete;
  RingFolders& operator=(const RingFolders&) = delete;

  const char* const* begin() const { return all_; }
  const char* const* end() const { return all_ + count_; }
  // Those in which a writer makes its ring, the first of all: the one that the environment names, and /dev/shm.
  const char* const* end_for_writers() const { return all_ + for_writers_; }
  // What EVTRACE_RING_DIR has in the place of a folder that can be used; null: nothing is wrong with it.
  const char* misfit() const { return misfit_; }

 private:
  void add(const char* folder);

  char own_[kMaxPath];
  char runtime_[kMaxPath];
  char of_trace_[PATH_MAX];
  const char* all_[4];
  std::size_t count_ = 0;
  std::size_t for_writers_ = 0;
  const char* misfit_ = nullptr;
};

}  // namespace evt
