// The threads of a running process as the kernel shows them at this moment: /proc. Nothing is stopped.
#pragma once

#include <evt/status.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libtrace-record/stacks/frame_rule.h"

namespace evt::record {

struct LiveThread {
  std::uint32_t number = 0;
  std::string name;
  char state = '?';                  // as in /proc/PID/stat: R, S, D, T, t, Z, X
  std::optional<std::int64_t> call;  // the system call that it is in; -1: it waits in the kernel outside of one
  std::uint64_t argument = 0;        // the first of that call
  std::string kernel;                // the kernel's function in which it waits; empty: not shown
  FrameRegisters registers;          // pc and stack pointer; 0: not shown
};

// By their numbers. Errors: kIo: there is no such process.
Result<std::vector<LiveThread>> threads_of(pid_t process);
// True if it waits for a futex in the memory [begin, begin + size) of its process.
bool waits_at(const LiveThread& thread, std::uint64_t begin, std::uint64_t size);
// What the thread does now, and its registers.
void look_at_call(pid_t process, LiveThread* thread);
// The system does not show this user what the threads of the process wait for: the reason.
std::optional<std::string> hidden_by(pid_t process);
// "futex"; of a number without a name "system call 999".
std::string name_of_system_call(std::int64_t number);

}  // namespace evt::record
