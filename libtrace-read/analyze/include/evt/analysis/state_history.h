// How things stood at any moment of a trace: running time of every thread on every cpu, and numbers of events, without
// reading all that was before.
#pragma once

#include <evt/analysis/cpu_time.h>
#include <evt/analysis/event_counts.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace evt {

// All that was until a moment of a session.
struct SessionState {
  explicit SessionState(const Session& session) : actors(session) {}

  Actors actors;
  CpuTime cpu;
  EventCounts counts;
};

struct HistoryOptions {
  // The file beside the trace in which checkpoints are kept: empty, none is. What is there and is not of this trace,
  // damaged, or says what cannot be, is replaced; so is a link, and the file of a user who is neither root, oneself nor
  // the trace's owner, or that more of them may write than the trace. Whoever may write it is believed as far as what
  // it says can be. In a folder of another user none is made.
  std::string side_file;
  // The trace's own: no more of others may read or write its side file. Empty: none may.
  std::string trace_file;
  // Where it goes if it cannot be written there; its folder is made, inside of one's own.
  std::string other_side_file;
  // So many bytes of the trace as rows of which the side file may take one.
  std::uint64_t rows_per_byte = 105;
  // A checkpoint at most for each so many events. Traces with fewer have none, and no side file.
  std::uint64_t events_per_checkpoint = 64 << 10;
  // Is told how much of the trace has been read, when checkpoints are made.
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
};

// Answers by the checkpoint before, and the events from there on. Checkpoints are made when they are first needed, in
// one pass over the trace, and stand where no later event has an earlier time: so what is said is what reading
// everything says. Refers to the trace; one thread at a time.
class StateHistory {
 public:
  StateHistory(Trace& trace, HistoryOptions options);
  StateHistory(StateHistory&&) noexcept;
  ~StateHistory();

  // All events of a session up to this time, which is included.
  SessionState at(std::size_t session, std::int64_t ns);
  // What was before a range of it, and what is at its end: of nothing less, and no more time than there was. Of more
  // threads or cpus than are followed it says nothing.
  std::pair<SessionState, SessionState> between(std::size_t session, TimeRange range);

  // There are more threads or cpus than are followed (Actors::has_others): who is folded at one moment was not at
  // another, so how things stood then cannot be compared. Known when something was asked.
  bool has_too_many_actors() const;
  // Why there is no side file although one was wished for; ok if there is one, none is needed, or none is kept, as of a
  // trace in which damage was met.
  const Status& status() const;
  // Where it is; empty if there is none.
  const std::string& side_file() const;
  // Events that were read to answer the latest question.
  std::uint64_t events_replayed() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace evt
#pragma GCC visibility pop
