// Stacks of threads that wait, from the memory of their process. Nothing is stopped.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "libtrace-record/stacks/process_maps.h"
#include "libtrace-record/stacks/unwinder.h"
#include "live_threads.h"

namespace evt::record {

struct LiveFrame {
  std::string function;  // or what stands for one: <evt/events.h>
  std::string module;    // path; empty: unknown
  std::uint64_t line = 0;
  bool is_inlined = false;
};

class LiveStacks {
 public:
  explicit LiveStacks(pid_t process);
  LiveStacks(const LiveStacks&) = delete;
  LiveStacks& operator=(const LiveStacks&) = delete;
  ~LiveStacks();

  // The innermost first, without those of the recorder. Empty where the thread runs, or the system does not show it. A
  // stack that is cut ends in [truncated], one that cannot be followed in [unknown].
  std::vector<LiveFrame> of(const LiveThread& thread);
  // The word at an address; 0: it cannot be read.
  std::uint32_t word_at(std::uint64_t address) const;

 private:
  void add(const StackFrame& frame, std::vector<LiveFrame>* frames) const;

  pid_t process_;
  int memory_;
  ProcessMaps maps_;
  Unwinder unwinder_{maps_};
};

}  // namespace evt::record
