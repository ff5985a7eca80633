// One budget for the sessions of all processes of a run. Each process keeps its own files within it, without knowing of
// the others.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>

namespace evt::record {

class SharedBudget {
 public:
  // `bytes`: 0: no limit.
  SharedBudget(std::string folder, std::uint64_t bytes) : folder_(std::move(folder)), bytes_(bytes) {}

  // Deletes the oldest files of all processes while together they are larger, except those that living processes write
  // and the last one of a process that was killed, which its ring completes.
  void enforce();
  // The same, five times a second at most.
  void enforce_at_times();
  // Processes of which nothing is left.
  std::size_t processes_not_kept() const { return gone_.size(); }

 private:
  std::string folder_;
  std::uint64_t bytes_;
  std::set<std::string> gone_;
  std::chrono::steady_clock::time_point next_ = {};
};

}  // namespace evt::record
