// Events as a trace of CTF 1.8 (https://diamon.org/ctf/v1.8.3/), for babeltrace2, Trace Compass and what else reads
// LTTng's traces: a folder with a file `metadata` and a file for each stream.
#pragma once

#include <evt/export/timeline_export.h>
#include <evt/opaque.h>
#include <evt/trace.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// Where the files of a CTF trace go.
class CtfFiles {
 public:
  CtfFiles() = default;
  CtfFiles(const CtfFiles&) = delete;
  CtfFiles& operator=(const CtfFiles&) = delete;
  virtual ~CtfFiles() = default;

  // Puts bytes behind those that the file has. `path`: in the folder of the trace, `stream_1`, or below it,
  // `session_0/stream_1`. False if that could not be done: nothing is appended any more.
  virtual bool append(const std::string& path, std::string_view bytes) = 0;
};

// The events of a trace, in their order. An event class for each type, a file for each stream, packets of 1 MiB, less
// where there are more than 32 streams; a loss is a packet without events whose events_discarded counts more. Times are
// ns of a clock whose offset is the session's start. Of a trace with several sessions each is a CTF trace of its own.
//
//   CtfTrace ctf(trace, files);
//   while (const Event* event = events.next()) {
//     if (!ctf.take(*event)) break;
//   }
//   ctf.end();
//
// Refers to both; one thread at a time. Memory grows with streams and types.
class CtfTrace {
 public:
  CtfTrace(const Trace& trace, CtfFiles& files);

  // Losses are events (EventOptions::markers). False after an append that was.
  bool take(const Event& event);
  // There are no more.
  bool end();
  // What is not as it was: sentences. Of a trace that has ended.
  std::vector<std::string> left_out() const;

  class Impl;

 private:
  Hidden<Impl> impl_;
};

// The same, but which threads run, stop and are woken are events sched_switch and sched_waking with the fields of
// Linux, in a file for each cpu, whose packets have its number. What is appended to the text of TimelineExport is
// nothing.
std::unique_ptr<TimelineExport> ctf_kernel_trace(CtfFiles& files);

}  // namespace evt
#pragma GCC visibility pop
