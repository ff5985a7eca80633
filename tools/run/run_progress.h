// What evt run prints while its program runs.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "libtrace-record/sched/thread_clocks.h"

namespace evt::tools {

// One summary after another, of the time since the one before. The cpu is of the program itself, as the system counts
// it; the calls are of all processes, as their living sessions have them. Of one thread.
class RunProgress {
 public:
  // Reading more would keep evt run from its program.
  static constexpr std::uint64_t kMaxEvents = 1'000'000;

  // `folder`: of the sessions.
  RunProgress(pid_t pid, std::string folder, std::int64_t every_ns);

  // Sentences, if it is time for them.
  std::vector<std::string> look();

 private:
  using Threads = std::map<std::uint64_t, record::ThreadClocks::Times>;

  std::string cpu_sentence(std::int64_t now_ns);
  std::string threads_sentence();
  std::string calls_sentence(std::int64_t now_ns);
  // False when there were too many events.
  bool count_calls(const std::string& file, std::int64_t now_ns, std::map<std::string, std::uint64_t>* calls,
                   std::uint64_t* events) const;

  pid_t pid_;
  std::string folder_;
  std::int64_t every_ns_;
  std::int64_t began_ns_;  // CLOCK_MONOTONIC
  std::int64_t last_ns_;
  std::int64_t counted_ns_ = INT64_MIN;  // calls up to then were counted
  std::int64_t cpu_ns_ = 0;              // so far
  Threads threads_;
};

}  // namespace evt::tools
