// The kernel's records of which thread of a process tree runs on which cpu.
#pragma once

#include <evt/status.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string_view>

#include "libtrace-record/perf/perf_rings.h"

namespace evt::record {

struct SwitchRecord {
  enum class Kind : std::uint8_t {
    kIn,         // a thread runs
    kPreempted,  // it stops, but is runnable
    kOut,        // it stops, and waits
    kName,       // it has another name
    kProgram,    // it executes another program, of this name
    kFork,       // a thread or process exists
    kExit,
    kLost,  // `count` records
  };
  Kind kind{};
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
  std::uint32_t parent = 0;  // kFork: the process that made it
  std::uint64_t ns = 0;      // CLOCK_MONOTONIC
  std::uint64_t count = 0;
  std::string_view name;  // until the function that is given the record returns
};

// Records of a process that is about to execute a program, and of all that it starts. Needs no privileges for the
// user's own processes, if the system allows it at all.
class SwitchRecords {
 public:
  // Returns an error, with its sentence, if the system does not allow it. Cpus that are offline now are not seen.
  Status open(pid_t pid);
  std::size_t cpus() const { return rings_.size(); }
  unsigned cpu(std::size_t ring) const { return rings_.cpu(ring); }
  // Takes the available records of one cpu, in time order, up to `until_ns`; more if its ring is half full.
  void take(std::size_t ring, std::uint64_t until_ns, const std::function<void(const SwitchRecord&)>& each);
  // All that is there of one cpu, which take() has again.
  void look(std::size_t ring, const std::function<void(const SwitchRecord&)>& each);

 private:
  // Walks while `each` returns true; returns how far it came.
  std::uint64_t walk(std::size_t ring, const std::function<bool(const SwitchRecord&, bool is_half_full)>& each);

  PerfRings rings_;
};

}  // namespace evt::record
