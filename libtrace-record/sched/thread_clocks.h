// How long each thread of a process and of all that it starts has run, and has waited for a cpu, from the kernel's own
// sums: for systems that record no switches.
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

  // For the present threads of a process, by their ids.
  static std::map<std::uint64_t, Times> times_of(pid_t pid);

  // Sums of a process are recorded in a session of the caller's, as quantities that never shrink.
  void open(evt_writer* writer, pid_t pid);
  // Reads them, if the last time was at least a second ago. What a thread did between the last sample and its end is
  // unknown, and so is a process that began and ended between two samples.
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
  std::set<pid_t> processes_;  // present at the last sample: the parent of an orphan is not known any more
  std::uint64_t sampled_at_ns_ = 0;
  std::map<std::uint64_t, Times> threads_;
};

}  // namespace evt::record
