// The kernel's records of a process and of all that it starts: a ring for each cpu, which the kernel fills and this
// empties (perf_event_open(2)).
#pragma once

#include <linux/perf_event.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace evt::record {

class PerfRings {
 public:
  PerfRings() = default;
  PerfRings(const PerfRings&) = delete;
  PerfRings& operator=(const PerfRings&) = delete;
  ~PerfRings() { close(); }

  // For a process that is about to execute a program: records of an event that is disabled until then. `pages` of each
  // ring: a power of two. Returns 0, or the errno of what the system refuses. Cpus that are offline now are not seen.
  int open(const perf_event_attr& wanted, pid_t pid, std::size_t pages);
  void close();

  std::size_t size() const { return rings_.size(); }
  unsigned cpu(std::size_t ring) const { return rings_[ring].cpu; }
  // Readable when a ring has as much as its event's watermark.
  int descriptor(std::size_t ring) const { return rings_[ring].fd; }

  // One record, from its header on, which lasts until the next one. False: walk() ends in front of it.
  using Each = std::function<bool(const char* record, std::size_t size, bool is_half_full)>;
  // Where the records of a ring end now.
  std::uint64_t end(std::size_t ring) const;
  // Walks over the records of a ring up to an end(); returns where it ended, for release().
  std::uint64_t walk(std::size_t ring, std::uint64_t end, const Each& each);
  // Gives the kernel the room of the records up to there.
  void release(std::size_t ring, std::uint64_t end);
  // Appends all records of a ring, and gives the kernel their room.
  void move_to(std::vector<char>* records, std::size_t ring);

 private:
  struct Ring {
    unsigned cpu = 0;
    int fd = -1;
    void* memory = nullptr;
  };

  int add(const perf_event_attr& wanted, pid_t pid, long cpu);

  std::vector<Ring> rings_;
  std::size_t bytes_ = 0;       // in each ring
  std::vector<char> together_;  // one record that wraps around the end of its ring
};

}  // namespace evt::record
