// The table of counted calls that a process left, read.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>
#include <vector>

namespace evt::record {

// Of one imported function in one thread. Durations are nanoseconds, 0 if the calls are not timed. Where fewer calls
// are timed than have returned, what follows those is an estimate by them.
struct CountedFunction {
  std::string name;
  std::string library;
  std::string caller;
  std::uint32_t thread = 0;  // of CountsFile::threads
  std::uint64_t calls = 0;
  std::uint64_t timed = 0;
  std::uint64_t returned = 0;
  std::uint64_t total_ns = 0;
  std::uint64_t shortest_ns = 0;
  std::uint64_t longest_ns = 0;
  std::vector<std::uint64_t> lengths_ns;  // the shortest first
  std::vector<std::uint64_t> times;       // how many calls were that long
};

struct CountedThread {
  std::uint64_t number = 0;  // the system's; of the first 0: it is those that have ended
  std::string name;
};

struct CountsFile {
  std::string program;
  std::uint64_t process = 0;
  std::int64_t start_utc_ns = 0;
  std::int64_t start_ns = 0;  // the same by CLOCK_MONOTONIC
  // When the process noted the time last, as a writer's own clock counts; 0: before the system was booted last.
  std::uint64_t last_ticks = 0;
  // The same of when the program restricted its system calls, and was not counted from then on; 0: it did not.
  std::uint64_t restricted_ticks = 0;
  bool is_short = false;  // there was no room for all that was counted
  std::vector<CountedThread> threads;
  std::vector<CountedFunction> functions;  // that were called
};

// What is in the file is the program's, and may be damaged by it: what does not fit is left out. Errors: kIo: it cannot
// be read; kNotATrace: it is no such file, or not begun.
Result<CountsFile> read_counts(const std::string& path);

}  // namespace evt::record
