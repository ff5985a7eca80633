// What is common to all records that are asked for, and how their values are read.
#pragma once

#include <linux/perf_event.h>
#include <time.h>

#include <cstdint>
#include <cstring>

namespace evt::record {

template <typename T>
T loaded(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// The end of each record that is no sample, and the beginning of a sample.
struct SampleId {
  std::uint32_t process;
  std::uint32_t thread;
  std::uint64_t ns;
  std::uint32_t cpu;
  std::uint32_t reserved;
};

// For records of a program and all that it starts, from exec on, with a SampleId in each; its names and
// processes.
inline perf_event_attr wanted_of_program(std::uint64_t event) {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_SOFTWARE;
  wanted.config = event;
  wanted.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
  wanted.sample_id_all = 1;
  wanted.task = 1;
  wanted.comm = 1;
  wanted.comm_exec = 1;
  wanted.inherit = 1;
  wanted.disabled = 1;
  wanted.enable_on_exec = 1;
  wanted.exclude_kernel = 1;  // else an ordinary user may not
  wanted.exclude_hv = 1;
  wanted.use_clockid = 1;
  wanted.clockid = CLOCK_MONOTONIC;
  return wanted;
}

}  // namespace evt::record
