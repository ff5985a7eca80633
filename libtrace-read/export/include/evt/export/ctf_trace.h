// Events as a trace of CTF 1.8 (https://diamon.org/ctf/v1.8.3/), for babeltrace2, Trace Compass and other readers of
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

// Writes the files of a CTF trace.
class CtfFiles {
 public:
  CtfFiles() = default;
  CtfFiles(const CtfFiles&) = delete;
  CtfFiles& operator=(const CtfFiles&) = delete;
  virtual ~CtfFiles() = default;

  // Appends bytes to a file. `path`: in the folder of the trace, `stream_1`, or below it, `session_0/stream_1`. Returns
  // false on failure: nothing is appended any more.
  virtual bool append(const std::string& path, std::string_view bytes) = 0;
};

// Converts the events of a trace, in their order. An event class for each type, a file for each stream, packets of 1
// MiB, smaller with more than 32 streams; a loss is a packet without events that increases events_discarded. Times are
// ns of a clock whose offset is the session's start. If a trace has several sessions, each becomes a separate CTF
// trace.
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

  // Losses are events (EventOptions::markers). Returns false after a failed append.
  bool take(const Event& event);
  // Ends the trace: there are no more events.
  bool end();
  // Sentences about what was changed. Call it after end().
  std::vector<std::string> left_out() const;

  class Impl;

 private:
  Hidden<Impl> impl_;
};

// Like CtfTrace, but running, stopping and waking of threads become events sched_switch and sched_waking with the
// fields of Linux, in a file for each cpu, whose packets have its number. Nothing is appended to the text of
// TimelineExport.
std::unique_ptr<TimelineExport> ctf_kernel_trace(CtfFiles& files);

}  // namespace evt
#pragma GCC visibility pop
