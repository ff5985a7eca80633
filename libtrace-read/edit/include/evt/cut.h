// A part of a trace -> a separate trace: by time, stream, type, or any condition on events.
#pragma once

#include <evt/recode.h>
#include <evt/trace.h>

#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// An option without a value leaves out nothing.
struct CutOptions {
  std::function<bool(const Session&)> session{};
  std::function<TimeRange(const Session&)> range{};
  std::function<bool(const Session&, const StreamInfo&)> stream{};
  std::function<bool(const EventType&)> type{};
  // Called for each event that is wanted otherwise, in the order of its stream, with its fields, ordinal and time.
  std::function<bool(const Session&, const StreamInfo&, const EventType&, Bytes fields, std::uint64_t ordinal,
                     std::int64_t ns)>
      event{};
  // Describes `event` for the new trace: it takes some of the events that are wanted otherwise (enum evt_sampling), one
  // of `one_in` if that is known; else it selects events by their contents.
  std::uint16_t sampled_by = EVT_SAMPLED_NONE;
  std::uint64_t one_in = 0;
  bool leaves_out_others = false;
  // Repeats the events that make the state at the range's start there, and keeps events recorded after the range that
  // cover it (FORMAT.md, section 6.1): this reads all events if some begin or end anything.
  bool state = true;
  // How events are stored; without a value: unchanged.
  std::optional<Form> form{};
  // Leaves out what names the program, its user and its machine (FORMAT.md, section 6.1).
  bool anonymous = false;
  std::string what{};    // the kept part, in words, for people
  std::string writer{};  // the new trace's: the program and its version
  // Called when `done` bytes of the trace, of `total`, have been looked at.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

// Passes a trace with the wanted part to `take`: one session for each session, which names it as its origin, with its
// clocks and times, its facts and copyable blocks, unless it is anonymous, and the types, streams and texts that the
// events need. Rows are copied byte for byte, blocks in their stored form if all of their rows are wanted. Losses at
// wanted times of wanted streams are kept, and damaged or missing parts become a loss by damage; what is left out is
// not a loss. Blocks with nothing wanted are not read. The same trace and options give the same bytes.
//
// The trace lists what was damaged. Errors: kIo: from `take`.
Status cut(Trace& trace, const CutOptions& options, const TakeBytes& take);

// Consecutive ranges, whose events take about `bytes` bytes each in their stored form. A single range with everything
// if that is less.
std::vector<TimeRange> ranges_of_size(const Trace& trace, std::uint64_t bytes);

}  // namespace evt
#pragma GCC visibility pop
