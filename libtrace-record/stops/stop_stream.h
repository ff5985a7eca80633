// The stops of a process in the session of the one that saw them.
#pragma once

#include <evt/emit.h>
#include <sys/types.h>

#include "child_stops.h"
#include "libtrace-record/sched/clock_time.h"

namespace evt::record {

// A separate stream. Used by one thread.
class StopStream {
 public:
  // `writer` must outlive the calls of record().
  void open(evt_writer* writer, pid_t pid);
  // In the order of their ends.
  void record(const ChildStop& stop);

 private:
  std::uint32_t cause(ChildStop::Cause cause) const { return causes_[static_cast<std::size_t>(cause)]; }

  evt_writer* writer_ = nullptr;
  evt_stream* stream_ = nullptr;
  const evt_type* stopped_ = nullptr;
  std::uint32_t causes_[3] = {};  // interned
  pid_t pid_ = 0;
  TickScale scale_;
};

}  // namespace evt::record
