// The lines that `perf script` prints of a sample: its front, then the frames of its stack.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace evt::samples {

// "comm 17/19 [003] 5.000001:  1003009 cpu-clock:u:"; without the process, the cpu and the period as well.
struct PerfFront {
  std::string_view command;
  std::uint64_t process = 0;  // 0: unknown
  std::uint64_t thread = 0;
  std::int64_t ns = 0;
  std::optional<std::uint64_t> period;
  std::string_view event;
  std::string_view rest;   // what follows on the line
  bool is_record = false;  // it is another record of perf's, and no sample

  // SUBSYSTEM:NAME, whose fields follow on the line. A colon in other events has modifiers after it, or an address.
  bool is_tracepoint() const;
};

// "7f12 copy+0x1a (/usr/lib/libc.so.6)"; without the offset and the module as well.
struct PerfFrame {
  std::string_view function;  // empty: unknown
  std::string_view module;    // path; empty: unknown
  bool is_inlined = false;    // its module is that of the next frame
};

std::optional<PerfFront> perf_front(std::string_view line);
std::optional<PerfFrame> perf_frame(std::string_view line);
// The number in "pages.c:17", which may follow a frame.
std::optional<std::uint32_t> perf_source_line(std::string_view line);

}  // namespace evt::samples
