// Rings that a thread of its own empties as soon as they have something: what is done with their records may take
// longer than the kernel has room for.
#pragma once

#include <poll.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "perf_rings.h"

namespace evt::record {

class DrainedRings {
 public:
  // What each ring had at one moment: whole records.
  using Batch = std::vector<std::vector<char>>;

  DrainedRings() = default;
  DrainedRings(const DrainedRings&) = delete;
  DrainedRings& operator=(const DrainedRings&) = delete;
  ~DrainedRings() { stop(); }

  // As PerfRings::open().
  int open(const perf_event_attr& wanted, pid_t pid, std::size_t pages) { return rings_.open(wanted, pid, pages); }
  // Begins the thread, which inherits the caller's mask of signals; none if there are no rings.
  void start();
  // Ends it; what the rings had until then can still be taken.
  void stop();
  // All batches that nobody has taken, the oldest first; waits for one, at most so long, while the thread is there.
  // When too many wait, records stay in the rings, and the kernel says how many it loses. One caller at a time.
  std::deque<Batch> take(int ms);

 private:
  void work();
  bool wait_for_room();
  void wait_for_rings();
  void empty();

  PerfRings rings_;
  std::vector<pollfd> waiting_;  // for each ring; -1: all that it records has ended
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> batches_;  // under mutex_, like what follows
  std::size_t bytes_ = 0;      // in all batches
  bool ends_ = false;
};

}  // namespace evt::record
