#include "stop_stream.h"

#include <string.h>

#include <algorithm>
#include <iterator>

#include "libtrace-record/sched/declare.h"

namespace evt::record {
namespace {

constexpr const char* kCauses[] = {"signal", "pause", "suspend"};

}  // namespace

void StopStream::open(evt_writer* writer, pid_t pid) {
  writer_ = writer;
  pid_ = pid;
  stream_ = evt_stream_open(writer, "stops");
  stopped_ = declare(
      writer, "run.process_stopped",
      "a process was stopped for so long, or its machine was suspended, which takes none of its time", EVT_ROLE_STOPPED,
      {of_boot(EVT_FIELD_U64("process", EVT_ROLE_PROCESS)), EVT_FIELD_INTERNED("reason", EVT_ROLE_REASON),
       EVT_FIELD_TICK_DELTA("duration", EVT_ROLE_DURATION),
       EVT_FIELD_U64("suspended", EVT_ROLE_AMOUNT, EVT_UNIT_NANOSECONDS)});
  for (std::size_t i = 0; i < std::size(kCauses); ++i) causes_[i] = evt_intern(writer, kCauses[i], strlen(kCauses[i]));
  scale_.read(writer);
}

void StopStream::record(const ChildStop& stop) {
  scale_.read(writer_);
  const std::uint64_t ended = scale_.ticks(static_cast<std::uint64_t>(stop.ended_ns));
  const std::uint64_t began = std::min(ended, scale_.ticks(static_cast<std::uint64_t>(stop.began_ns)));
  evt_row row = evt_begin_at(stream_, stopped_, ended);
  if (row.p == nullptr) return;
  evt_u64(&row, static_cast<std::uint64_t>(pid_));
  evt_u32(&row, cause(stop.cause));
  evt_i64(&row, static_cast<std::int64_t>(ended - began));
  evt_u64(&row, stop.suspended_ns);
  evt_commit(&row);
}

}  // namespace evt::record
