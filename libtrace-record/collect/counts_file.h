// The table of counted calls that a process left, read.
#pragma once

#include <evt/status.h>

#include <cstdint>
#include <string>
#include <vector>

namespace evt::record {

// Counts of one imported function in one thread. Durations are nanoseconds, 0 if the calls are not timed. If fewer
// calls are timed than have returned, the totals below are estimated from them.
struct CountedFunction {
  std::string name;
  std::string library;
  std::string caller;
  std::uint32_t thread = 0;  // index in CountsFile::threads
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
  std::uint64_t number = 0;  // the system's; 0 in the first, which stands for ended threads
  std::string name;
};

struct CountsFile {
  std::string program;
  std::uint64_t process = 0;
  std::int64_t start_utc_ns = 0;
  std::int64_t start_ns = 0;  // the same moment on CLOCK_MONOTONIC
  // When the process last noted the time, as a writer's own clock counts; 0: before the last boot.
  std::uint64_t last_ticks = 0;
  // When the program restricted its system calls, after which it was not counted; 0: it did not.
  std::uint64_t restricted_ticks = 0;
  bool is_short = false;  // there was no room for all counts
  std::vector<CountedThread> threads;
  std::vector<CountedFunction> functions;  // called functions
};

// The program writes the file, and may damage it: invalid parts are left out. Errors: kIo: it cannot be read;
// kNotATrace: it is not such a file, or is empty.
Result<CountsFile> read_counts(const std::string& path);

}  // namespace evt::record
