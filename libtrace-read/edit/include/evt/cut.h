// A part of a trace -> a trace of its own: by time, stream, type, or whatever a caller asks of each event.
#pragma once

#include <evt/recode.h>
#include <evt/trace.h>

#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// An option without a value leaves nothing out.
struct CutOptions {
  std::function<TimeRange(const Session&)> range{};
  std::function<bool(const Session&, const StreamInfo&)> stream{};
  std::function<bool(const EventType&)> type{};
  // Asked of each event that is wanted otherwise, in the order of its stream; its fields, and when it was.
  std::function<bool(const Session&, const StreamInfo&, const EventType&, Bytes fields, std::int64_t ns)> event{};
  // What `event` does, as the new trace states it: of the events that are wanted otherwise it takes some (enum
  // evt_sampling), one of `one_in` if that is known; else it leaves events out by what is in them.
  std::uint16_t sampled_by = EVT_SAMPLED_NONE;
  std::uint64_t one_in = 0;
  bool leaves_out_others = false;
  // What makes the state at the range's start comes again there, and what was recorded behind the range and covers it
  // is kept (FORMAT.md, section 6.1): all events are read then if some begin or end anything.
  bool state = true;
  // How events are stored; without a value: as they were.
  std::optional<Form> form{};
  // Leaves out what names the program, its user and its machine (FORMAT.md, section 6.1).
  bool anonymous = false;
  std::string what{};    // that is kept, in words, for people
  std::string writer{};  // of the new trace: the program and its version
  // Called when `done` bytes of the trace, of `total`, have been looked at.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

// Hands a trace to `take` that has what is wanted: of each session one, which names it as its origin, with the clocks
// and times of it, its facts and copyable blocks, unless it is anonymous, and the types, streams and texts that the
// events need. Rows come byte for byte, blocks as they are stored where all of their rows are wanted. Losses at wanted
// times of wanted streams are kept, and what is damaged or missing is a loss by damage; what is left out is no loss.
// Blocks that have nothing wanted are not read. The same trace and options give the same bytes.
//
// What was damaged the trace lists. Errors: kIo: from `take`.
Status cut(Trace& trace, const CutOptions& options, const TakeBytes& take);

// Ranges that follow one another, whose events take about `bytes` bytes each as they are stored. One that has
// everything if that is less.
std::vector<TimeRange> ranges_of_size(const Trace& trace, std::uint64_t bytes);

}  // namespace evt
#pragma GCC visibility pop
