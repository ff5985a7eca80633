// Who does what, and when, in formats of other programs.
#pragma once

#include <evt/text/text_buffer.h>
#include <evt/timeline.h>

#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// A trace's timeline as one file. Sessions of a trace are on one axis, by when they began (UTC).
//
//   file.begin(out, trace);
//   while (timeline.next_session()) {
//     file.begin_session(out, timeline);
//     while (const TimelineItem* item = timeline.next()) file.take(out, *item);
//     file.end_session(out);
//   }
//   file.end(out);
//
// One that looks_first() gets all items in advance, from a separate timeline: look_at_session(), look(), end_look() in
// the places of begin_session(), take() and end_session().
//
// Spans, calls, counters and other events that are not is_wanted are left out; states of threads are complete. Memory
// grows with threads and names, and with open spans.
class TimelineExport {
 public:
  TimelineExport() = default;
  TimelineExport(const TimelineExport&) = delete;
  TimelineExport& operator=(const TimelineExport&) = delete;
  virtual ~TimelineExport() = default;

  // True if the beginning of the file needs data from all items: they are then read twice, and must be the same again.
  virtual bool looks_first() const { return false; }
  virtual void look_at_session(Timeline&) {}
  virtual void look(const TimelineItem&) {}
  virtual void end_look() {}  // called for each session

  // Appends the file to `out`, piece by piece.
  virtual void begin(TextBuffer& out, const Trace& trace) = 0;
  virtual void begin_session(TextBuffer& out, Timeline& timeline) = 0;  // `timeline` must outlive the session
  virtual void take(TextBuffer& out, const TimelineItem& item) = 0;
  virtual void end_session(TextBuffer& out) = 0;
  virtual void end(TextBuffer& out) = 0;
  // Sentences about data that the format cannot hold, or not exactly. Call it after end().
  virtual std::vector<std::string> left_out() const { return {}; }
};

// The weight of a path of names, in spans and calls or in the stacks of samples.
enum class PathWeight : std::uint8_t {
  kWall,     // the time, ns
  kRunning,  // the time in which the thread ran, ns
  kShare,    // its share of the time: each moment divided by the number of active threads, ns
  kCount,    // number of times it was entered
  kSamples,  // processor time of samples whose stack it is, ns
  kWaiting,  // time of waits whose stack it is, ns
};
// For those who ask for none: kSamples if the trace has samples, else kWaiting if it has stacks of waits, else kWall.
// Reads events up to the first sample.
PathWeight usual_weight(Trace& trace);

// Chrome's Trace Event Format (JSON object format): spans and calls as B and E, those that overlap as b and e; counters
// as C; other events as instants with their fields; flows as s and f; running threads as slices of a process `cpus`.
std::unique_ptr<TimelineExport> chrome_json();
// Perfetto's protobuf, perfetto.protos.Trace: states of threads by GenericKernelTaskStateEvent, the rest as TrackEvent.
std::unique_ptr<TimelineExport> perfetto_trace();
// A value change dump (IEEE 1364-2005, section 18), for GTKWave: the state of each thread as 3 bits, the thread of each
// cpu as an integer, counters as reals.
std::unique_ptr<TimelineExport> waveform();
// Folded stacks for flame graph programs: `thread;outer;inner 42` for each path.
std::unique_ptr<TimelineExport> folded_stacks(PathWeight weight);
// speedscope's JSON: a profile of each thread.
std::unique_ptr<TimelineExport> speedscope(PathWeight weight);
// pprof's profile, compressed by gzip.
std::unique_ptr<TimelineExport> pprof(PathWeight weight);

}  // namespace evt
#pragma GCC visibility pop
