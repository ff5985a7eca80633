// The lines of line_bench.cc in a library that the benchmark loads.
#include <evt/trace_macros.h>

extern "C" __attribute__((visibility("default"))) void trace_lines(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t i = begin; i < end; ++i) {
    EVT_TRACE("line.start", "thread", i);
    EVT_TRACE("line.stop", "thread", i, "status", std::uint64_t{1});
  }
}
