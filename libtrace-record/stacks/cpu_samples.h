// Samples of the code that a program and all that it starts run, taken and recorded by a thread of this process.
#pragma once

#include <evt/emit.h>
#include <evt/status.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "libtrace-record/sched/clock_time.h"
#include "process_maps.h"
#include "sample_records.h"
#include "sample_spool.h"
#include "stack_writer.h"
#include "unwinder.h"

namespace evt::record {

class CpuSamples {
 public:
  // Its streams are called so, and by their cpu.
  static constexpr const char* kStreams = StackWriter::kStreams;

  CpuSamples() : unwinder_(maps_) {}
  CpuSamples(const CpuSamples&) = delete;
  CpuSamples& operator=(const CpuSamples&) = delete;
  ~CpuSamples() { close(); }

  // For a process that is about to execute a program. An error, with its sentence, if the system does not allow it.
  Status open(pid_t pid, unsigned hz);
  // Programs take samples of themselves, too, into a file of this name.
  Status open_spool(const SampleSpool::Wanted& wanted) { return spool_.open(wanted); }
  std::string spool_path() const { return spool_.path(); }
  // From here on samples go into this session, which must stay open until close(). An error, with its sentence, if the
  // system has no threads for it.
  Status start(evt_writer* writer);
  // Records what there is, and ends the thread.
  void close();
  // Also a fact each of the session. REQUIRES: it is closed.
  SampleDoubts doubts() const;

 private:
  void work();
  void take(int ms);
  void add(const StackCopy& copy, const SampleRecords::Changes& changes);

  SampleRecords records_;
  SampleSpool spool_;
  ProcessMaps maps_;
  Unwinder unwinder_;
  StackWriter stacks_;
  evt_writer* writer_ = nullptr;
  TickScale scale_;
  std::vector<StackFrame> frames_;
  std::atomic<bool> ends_ = false;
  std::thread thread_;
};

}  // namespace evt::record
