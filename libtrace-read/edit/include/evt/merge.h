// Several traces -> one: a session that has the streams of all of them, on one time scale.
#pragma once

#include <evt/recode.h>
#include <evt/trace.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

struct MergeInput {
  std::string name;            // in the merged trace
  std::int64_t offset_ns = 0;  // added to its times, beyond what clocks and messages say
};

// Events of two types that belong together if a field of theirs has the same value: one input sends it, another
// receives it later. Values that are sent twice, or received twice, are not used.
struct PairedEvents {
  std::string send;
  std::string receive;
  std::string field;  // in both; empty: the first of each
};

struct MergeOptions {
  std::vector<MergeInput> inputs;
  // Opens an input. Called twice for each, in order; the result is released before the next one, so that few files are
  // open at a time. For an input that cannot be read twice, or grows, the caller must keep the trace and return it
  // again.
  std::function<Result<std::shared_ptr<Trace>>(std::size_t input)> open;
  // An input has been copied; its trace lists what was damaged.
  std::function<void(std::size_t input, Trace& trace)> done{};
  std::vector<PairedEvents> sync_on{};
  std::string writer{};  // the merged trace's: the program and its version
  // Called when `done` bytes of the inputs, of `total`, have been copied.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};
};

struct Merged {
  std::vector<MergedPart> parts;   // each session of each input; the parts of one that was merged before
  std::vector<std::string> notes;  // sentences about unexpected results
};

// Passes a trace with all rows of the inputs to `take`. Blocks are copied in their stored form if their numbers do not
// change; rows, ticks and the order of each stream are kept. Types are the same if they have one name and one begins
// with all fields of the other; texts are shared. Facts have the new numbers, those of a session apply to its part; the
// parts of a session that was merged before are parts of the new one; copyable blocks are kept, others that readers
// skip (Session::other_blocks) are not. Damaged or missing parts of an input become a loss by damage, at their place in
// their stream. A session that was already there is left out; segments of one session (Trace::files_of_traces()) are
// one input. What a cut repeats from before its first moment is copied, and a reader does not count it. A part of a
// session that was merged before gets a number, as x(2), if a part of another has its name. The same inputs and options
// give the same bytes.
//
// Time: sessions of one boot share it; others are placed by UTC, or by matched events, which give offset and drift. The
// times of the first session stay.
//
// Errors: those of `open`; kInvalid: an input has changed, messages contradict each other, or several inputs have
// segments of one session, or were made from one; kIo: from `take`.
Result<Merged> merge(const MergeOptions& options, const TakeBytes& take);

}  // namespace evt
#pragma GCC visibility pop
