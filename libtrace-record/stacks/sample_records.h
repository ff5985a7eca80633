// The kernel's samples of which code a process and all that it starts run, with the top of their stacks.
#pragma once

#include <evt/status.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string_view>

#include "frame_rule.h"
#include "libtrace-record/perf/drained_rings.h"
#include "process_maps.h"

namespace evt::record {

// What a thread was doing at one moment. Refers to memory of who made it.
struct StackCopy {
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
  std::uint32_t cpu = 0;
  std::uint64_t ns = 0;         // CLOCK_MONOTONIC
  std::uint64_t weight_ns = 0;  // the processor time that it stands for; 0: it stands for a wait
  std::uint64_t waited_ns = 0;  // how long that took
  std::string_view function{};  // a wait: which one was called
  std::string_view object{};    // the name of what it waited for; empty: it has none
  FrameRegisters registers{};
  std::string_view stack{};  // the bytes from the stack pointer on
};

class SampleRecords {
 public:
  // What changes the meaning of samples, in the order of a cpu.
  struct Changes {
    std::function<void(std::uint32_t process, std::uint64_t ns, CodeMapping mapping)> mapped;
    std::function<void(std::uint32_t process, std::uint64_t ns)> became;
    std::function<void(std::uint32_t process, std::uint32_t parent, std::uint64_t ns)> forked;
    std::function<void(std::uint64_t samples)> lost;
    std::function<void(std::uint32_t process)> ended;  // none of its code is there any more
  };

  // `hz` samples for each second of processor time. An error, with its sentence, if the system does not allow it.
  Status open(pid_t pid, unsigned hz);
  // From here on the rings are emptied, by a thread that inherits the caller's mask of signals.
  void start() { rings_.start(); }
  // Ends that: what came until then can still be taken.
  void stop() { rings_.stop(); }
  // Waits for records, at most so long, and takes those that came: of each moment first all changes, then all samples.
  void take(int ms, const Changes& changes, const std::function<void(const StackCopy&)>& sample);

 private:
  DrainedRings rings_;
};

}  // namespace evt::record
