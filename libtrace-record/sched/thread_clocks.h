// How long each thread of a process and of all that it starts has run, and has waited for a cpu, by the kernel's own
// sums: where it records no switches.
#pragma once

#include <evt/emit.h>
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace evt::record {

class ThreadClocks {
 public:
  struct Times {
    std::string name;
    std::uint64_t ran_ns = 0;
    std::uint64_t delayed_ns = 0;  // it could have run
  };

  // Of the threads that a process has now, by their numbers.
  static std::map<std::uint64_t, Times> times_of(pid_t pid);

  // Sums of a process are recorded in a session of the caller's, as quantities that never shrink.
  void open(evt_writer* writer, pid_t pid);
  // Reads them, if the last time was a second ago; what a thread did between that and its end is not known, nor a
  // process that began and ended between two times.
  void sample();
  // By the threads' numbers.
  const std::map<std::uint64_t, Times>& threads() const { return threads_; }

 private:
  void find_children(pid_t process);
  void read_process(pid_t process);
  void record(std::uint64_t thread, const Times& times);

  evt_stream* stream_ = nullptr;
  const evt_type* sum_ = nullptr;
  std::uint32_t ran_ = 0;
  std::uint32_t delayed_ = 0;
  pid_t pid_ = 0;
  std::set<pid_t> processes_;  // that were there at the last sample: of an orphan the parent is not known any more
  std::uint64_t sampled_at_ns_ = 0;
  std::map<std::uint64_t, Times> threads_;
};

}  // namespace evt::record
