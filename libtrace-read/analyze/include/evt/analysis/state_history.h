// The state at any moment of a trace: running time of every thread on every cpu, and numbers of events, without reading
// everything before.
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

// When runs in progress at a moment end, by thread: its Actor's part, is_stream and number, which is unique among
// running threads. Runs that last until the end of the session end there. Leaves out those that last for more than 2^20
// events.
using RunEnds = std::map<std::tuple<std::uint32_t, bool, std::uint64_t>, std::int64_t>;
RunEnds::key_type run_key(const Actor& thread);

// The state of a session until a moment.
struct SessionState {
  explicit SessionState(const Session& session) : actors(session) {}

  Actors actors;
  CpuTime cpu;
  EventCounts counts;
  Timeline::Doubts doubts;
};

// A place where reading of a session starts, and the state there.
struct SessionStart {
  Timeline timeline;
  CpuTime cpu;
  Collections collections;
};

struct HistoryOptions {
  // The folder in which checkpoints of traces are kept; empty: none are. It is made, with mode 0700, if its parent
  // belongs to the effective user; it is used if it belongs to the effective user and no other user may write it.
  std::string cache_folder;
  // Limit for all files there together; beyond it, the least recently used are removed first.
  std::uint64_t cache_bytes = std::uint64_t{1} << 30;
  // The trace's path. Its checkpoints are identified by its first session's uuid, its size, its modification time and a
  // checksum of its end. Empty, as for a trace in memory: without the time.
  std::string trace_file;
  // Bytes of rows in the trace for each byte of its checkpoints.
  std::uint64_t rows_per_byte = 105;
  // At most one checkpoint for this many events. Traces with fewer have none, and no file.
  std::uint64_t events_per_checkpoint = 64 << 10;
  // False: existing checkpoints are used, but neither they nor the folder are made: then status() is an error.
  bool makes_checkpoints = true;
  // Called with the amount of the trace that has been read, when checkpoints are made.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

// Answers from the previous checkpoint, and the events from there on. Checkpoints are made when they are first needed,
// in one pass over the trace, at moments after which no event has an earlier time: so the answer equals a full replay.
// Refers to the trace; one thread at a time.
class StateHistory {
 public:
  StateHistory(Trace& trace, HistoryOptions options);

  // The state after all events of a session up to this time, inclusive.
  SessionState at(std::size_t session, std::int64_t ns);
  // The states before a range of it, and at its end. Nothing is less in the second than in the first, and times differ
  // by no more than the elapsed time. Both are empty if there are more threads or cpus than are followed.
  std::pair<SessionState, SessionState> between(std::size_t session, TimeRange range);

  // Returns a session that is read from the latest checkpoint before options.range on, or from its beginning. The first
  // items begin what is in progress at the checkpoint (Timeline::Options::begins_with_range), so most analyses find the
  // same in the range as after all earlier items; the caller has to know those that do not. next_session() returns
  // false, and first_ns() is unknown.
  SessionStart start(std::size_t session, const Timeline::Options& options);

  // Ends of the runs in progress at this time, from the session's state then. Reads on if there are any, and events.
  RunEnds run_ends(std::size_t session, std::int64_t ns, const Actors& actors, const CpuTime& cpu);

  // Calls f with the states of up to `most` of a session's checkpoints, evenly spaced, in order of time; if one is
  // damaged, with the intact ones before it. Reads no events, except to make checkpoints.
  void each_checkpoint(std::size_t session, std::size_t most,
                       const std::function<void(std::int64_t ns, const SessionState&)>& f);

  // There are more threads or cpus than are followed (Actors::has_others): an actor may be folded at one moment and not
  // at another, so states at two moments cannot be compared. Known after the first request.
  bool has_too_many_actors() const;
  // Why no checkpoints are kept although a folder was named; ok if they are, if the trace needs none, or if it cannot
  // have any, such as one with damage.
  const Status& status() const;
  // The file that contains them; empty if there is none.
  const std::string& checkpoint_file() const;
  // Events that were read to answer the latest question.
  std::uint64_t events_replayed() const;

 private:
  struct Data;
  Hidden<Data> data_;
};

}  // namespace evt
#pragma GCC visibility pop
