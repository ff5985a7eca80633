// The state at any moment of a trace: running time of every thread on every cpu, and numbers of events, without
// reading all that was before.
#pragma once

#include <evt/analysis/collections.h>
#include <evt/analysis/cpu_time.h>
#include <evt/analysis/event_counts.h>
#include <evt/opaque.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// When runs end that go on at a moment, by thread: its Actor's part, is_stream and number, which no two threads that
// run have in common. Runs that go on to the end of the session end there. Without those that go on for more than 2^20
// events.
using RunEnds = std::map<std::tuple<std::uint32_t, bool, std::uint64_t>, std::int64_t>;
RunEnds::key_type run_key(const Actor& thread);

// All that was until a moment of a session.
struct SessionState {
  explicit SessionState(const Session& session) : actors(session) {}

  Actors actors;
  CpuTime cpu;
  EventCounts counts;
  Timeline::Doubts doubts;
};

// Where a session is read from on, and what is known there.
struct SessionStart {
  Timeline timeline;
  CpuTime cpu;
  Collections collections;
};

struct HistoryOptions {
  // The folder in which checkpoints of traces are kept; empty: none are. It is made, with mode 0700, if the folder that
  // is to have it is the effective user's; it is used if it is the effective user's and no other user may write it.
  std::string cache_folder;
  // Of all files there together, at most; beyond that, those go first that were used longest ago.
  std::uint64_t cache_bytes = std::uint64_t{1} << 30;
  // The trace's path. Its checkpoints are found again by its first session's uuid, its size, when it was last changed
  // and a checksum of its end. Empty, as of a trace in memory: without the time.
  std::string trace_file;
  // Bytes of the trace as rows for each byte that its checkpoints may take.
  std::uint64_t rows_per_byte = 105;
  // At most one checkpoint for this many events. Traces with fewer have none, and no file.
  std::uint64_t events_per_checkpoint = 64 << 10;
  // False: checkpoints are used where there are some, and else not made, nor the folder: then status() is an error.
  bool makes_checkpoints = true;
  // Called with how much of the trace has been read, when checkpoints are made.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

// Answers by the checkpoint before, and the events from there on. Checkpoints are made when they are first needed, in
// one pass over the trace, at moments where no later event has an earlier time: so the answer equals a full replay.
// Refers to the trace; one thread at a time.
class StateHistory {
 public:
  StateHistory(Trace& trace, HistoryOptions options);

  // All events of a session up to this time, which is included.
  SessionState at(std::size_t session, std::int64_t ns);
  // What was before a range of it, and what is at its end: of nothing less, and no more time than there was. Both
  // states are empty if there are more threads or cpus than are followed.
  std::pair<SessionState, SessionState> between(std::size_t session, TimeRange range);

  // Returns a session that is read from the latest checkpoint before options.range on, or from its begin. The first
  // items begin what goes on at the checkpoint (Timeline::Options::begins_with_range), so most analyses find in the
  // range what they find after all items before it; the caller has to know those that do not. next_session() returns
  // false, and first_ns() is not known.
  SessionStart start(std::size_t session, const Timeline::Options& options);

  // Of the runs that go on at this time, by what is known of the session then. Reads on if there are any, and events.
  RunEnds run_ends(std::size_t session, std::int64_t ns, const Actors& actors, const CpuTime& cpu);

  // Calls f with the states of up to `most` of a session's checkpoints, about as many of them from one to the next, in
  // order of time; with those before it that are whole, if one is damaged. Reads no events, unless to make checkpoints.
  void each_checkpoint(std::size_t session, std::size_t most,
                       const std::function<void(std::int64_t ns, const SessionState&)>& f);

  // There are more threads or cpus than are followed (Actors::has_others): who is folded at one moment was not at
  // another, so states at two moments cannot be compared. Known when something was asked.
  bool has_too_many_actors() const;
  // Why no checkpoints are kept although a folder was named; ok if they are, if the trace needs none, or if it can have
  // none, as one in which damage was met.
  const Status& status() const;
  // The file that has them; empty if there is none.
  const std::string& checkpoint_file() const;
  // Events that were read to answer the latest question.
  std::uint64_t events_replayed() const;

 private:
  struct Data;
  Hidden<Data> data_;
};

}  // namespace evt
#pragma GCC visibility pop
