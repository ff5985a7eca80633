// 1. A file of this trace in the cache has its checkpoints. Else one pass over the trace makes them (CheckpointMaker):
// 2. between two events, where enough have been since the last one, and the file stays small beside the rows;
// 3. when an event comes whose time is not after a checkpoint's, that checkpoint is dropped.
// 4. A question is answered from the checkpoint before it, by taking the events from there on.
// 5. A file that turns out to be damaged is removed and made again.
#include <errno.h>
#include <evt/analysis/state_history.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "checkpoint_cache.h"
#include "checkpoint_delta.h"
#include "checkpoint_file.h"
#include "checkpoint_making.h"
#include "checkpoint_words.h"
#include "doubted_runs.h"
#include "libtrace-read/analyze/src/carried_events.h"
#include "libtrace-read/analyze/src/cpu_time_impl.h"
#include "running_time.h"

namespace evt {

struct StateHistory::Data {
  Data(Trace& of, HistoryOptions with) : trace(of), options(std::move(with)), cache(options.cache_folder) {}

  void prepare();
  SessionState at(std::size_t session, std::int64_t ns);
  // What is lost since before a range, and recorded in it, makes runs of the state before the range uncertain.
  void doubt_runs(std::size_t session, TimeRange range, CpuTime* cpu);
  RunEnds run_ends(std::size_t session, std::int64_t ns);
  using Seen = std::function<void(std::int64_t, const SessionState&)>;
  void each_checkpoint(std::size_t session, std::size_t most, const Seen& f);

  Trace& trace;
  HistoryOptions options;
  CheckpointCache cache;
  CheckpointFile file;
  std::string path;  // of the file that is open
  Status status;
  std::uint64_t replayed = 0;
  bool too_many_actors = false;

 private:
  enum class Restored : std::uint8_t { kYes, kNoneBefore, kDamaged };

  SessionState before(std::size_t session, std::int64_t ns, Occupancy* occupancy);
  void find_or_make();
  void make(const std::string& at);
  Restored restore(std::size_t session, std::int64_t ns, SessionState* state, Occupancy* occupancy);
  bool restore_checkpoint(std::size_t session, std::size_t checkpoint, SessionState* state, Occupancy* occupancy);

  bool prepared = false;
  bool made = false;
};

namespace {

std::uint64_t rows_of(const Trace& trace) {
  std::uint64_t rows = 0;
  for (const Session& session : trace.sessions()) rows += session.rows;
  return rows;
}

// The numbers of a checkpoint: the last one before that is whole, and the differences since. Empty if they are damaged.
std::vector<std::uint64_t> words_at(const CheckpointFile& file, const CheckpointDirectory::OfSession& said,
                                    std::size_t number, const Session& session) {
  const std::vector<StoredCheckpoint>& all = said.checkpoints;
  std::size_t first = number;
  while (all[first].is_delta) {
    if (first == 0 || number - first == kMaxDeltas) return {};
    --first;
  }
  const std::size_t most = CheckpointWords::most(session, said);
  std::vector<std::uint64_t> words;
  for (std::size_t i = first; i <= number; ++i) {
    std::vector<std::uint64_t> next = file.words(all[i], most);
    if (i > first && !add(&next, words, session.streams.size())) return {};
    words = std::move(next);
  }
  return words;
}

bool are_in_order(const std::vector<StoredCheckpoint>& checkpoints) {
  return std::adjacent_find(checkpoints.begin(), checkpoints.end(),
                            [](const auto& a, const auto& b) { return a.ns >= b.ns; }) == checkpoints.end();
}

// Actors of a session without parts are of none.
bool are_of_parts(const std::vector<Actor>& actors, const Session& session) {
  return std::all_of(actors.begin(), actors.end(), [&](const Actor& actor) {
    return actor.part == Actor::kNone || actor.part < session.parts.size();
  });
}

// Two traces can be made to have one key: what is used without a look must fit.
bool is_of_trace(const CheckpointDirectory& directory, const Trace& trace) {
  const auto& sessions = trace.sessions();
  return directory.trace_size == trace.size() && directory.sessions.size() == sessions.size() &&
         std::equal(sessions.begin(), sessions.end(), directory.sessions.begin(),
                    [](const Session& session, const CheckpointDirectory::OfSession& kept) {
                      return session.uuid == kept.uuid && session.rows == kept.rows &&
                             are_of_parts(kept.threads, session) && are_of_parts(kept.cpus, session) &&
                             are_in_order(kept.checkpoints);
                    });
}

// Those of a session from behind a moment on.
EventOptions events_behind(const Session& of, std::int64_t from, std::int64_t to) {
  EventOptions wanted = events_of_history();
  wanted.range = [&of, from, to](const Session& each) {
    if (&each != &of || from >= to) return TimeRange{1, 0};
    return TimeRange{from == INT64_MIN ? INT64_MIN : from + 1, to};
  };
  return wanted;
}

// A part has no stops from after where it was cut, but of what began before and was recorded later.
bool ends_with_cut(const Session& session) { return cut_of(session).to_ns != INT64_MAX; }

// Takes the events behind a moment until all runs that went on then have ended.
class RunsGoingOn {
 public:
  RunsGoingOn(const Actors& actors, ThreadStates& threads, std::int64_t ns)
      : actors_(actors), threads_(threads), ns_(ns) {}

  // False: no further event is needed.
  bool take(const RoleEvent& event) {
    if (!has_begun_ && event.recorded_ns > ns_) begin();
    if (has_begun_ && (going_on_.empty() || ahead_++ == kMaxAhead)) return false;
    items_.clear();
    TimelineItem at;
    at.ns = event.ns;
    at.event = &event;
    threads_.take(event, at, &items_);
    for (const TimelineItem& item : items_) {
      const bool ends = item.kind == ItemKind::kState && item.before == ThreadState::kRunning;
      if (has_begun_ && ends && going_on_.erase(item.thread) > 0) end(item.thread, item.ns);
    }
    return true;
  }
  RunEnds finish(std::int64_t end_ns) {
    if (!has_begun_) begin();
    for (const std::uint32_t thread : going_on_) end(thread, end_ns);
    return std::move(ends_);
  }
  RunEnds ends() { return std::move(ends_); }

 private:
  static constexpr std::uint64_t kMaxAhead = 1 << 20;

  void begin() {
    has_begun_ = true;
    for (std::uint32_t i = 0; i < Actor::kOthers; ++i) {
      if (threads_.runs(i)) going_on_.insert(i);
    }
  }

  void end(std::uint32_t thread, std::int64_t ns) { ends_[run_key(actors_.threads()[thread])] = ns; }

  const Actors& actors_;
  ThreadStates& threads_;
  std::int64_t ns_;
  bool has_begun_ = false;
  std::uint64_t ahead_ = 0;
  TimelineItems items_;
  std::set<std::uint32_t> going_on_;
  RunEnds ends_;
};

// Of the first row of any stream; INT64_MAX without any.
std::int64_t first_row_ns(const Session& session) {
  std::int64_t first = INT64_MAX;
  for (const StreamInfo& stream : session.streams) {
    if (stream.rows > 0) first = std::min(first, stream.first_ns);
  }
  return first;
}

}  // namespace

void StateHistory::Data::prepare() {
  if (prepared) return;
  prepared = true;
  // What a ring adds is not in the file, and may be more the next time.
  if (options.cache_folder.empty() || !trace.recovery().rings.empty()) return;
  if (rows_of(trace) < options.events_per_checkpoint) return;
  find_or_make();
}

void StateHistory::Data::find_or_make() {
  status = options.makes_checkpoints ? cache.folder().open() : cache.folder().check();
  if (!status.ok()) return;
  const std::string at = cache.path_of(trace, options.trace_file);
  if (file.open(at, trace.sessions().size()) && is_of_trace(file.directory(), trace)) {
    path = at;
    CacheFolder::note_use(at);
    return;
  }
  file.close();
  if (options.makes_checkpoints) make(at);
}

void StateHistory::Data::make(const std::string& at) {
  made = true;
  CheckpointFileWriter writer;
  status = writer.open(at);
  if (!status.ok()) return;
  MakingWork work;
  status = make_state(trace, options, writer, &work);
  too_many_actors = work.too_many_actors;
  if (writer.is_complete() && file.open(at, trace.sessions().size())) path = at;
  cache.folder().shrink(options.cache_bytes, at);
}

// The latest checkpoint that is not after this time.
StateHistory::Data::Restored StateHistory::Data::restore(std::size_t number, std::int64_t ns, SessionState* state,
                                                         Occupancy* occupancy) {
  if (number >= file.directory().sessions.size()) return Restored::kNoneBefore;
  const CheckpointDirectory::OfSession& said = file.directory().sessions[number];
  const auto behind = std::upper_bound(said.checkpoints.begin(), said.checkpoints.end(), ns,
                                       [](std::int64_t at, const StoredCheckpoint& each) { return at < each.ns; });
  if (behind == said.checkpoints.begin()) return Restored::kNoneBefore;
  const auto latest = static_cast<std::size_t>(behind - said.checkpoints.begin()) - 1;
  return restore_checkpoint(number, latest, state, occupancy) ? Restored::kYes : Restored::kDamaged;
}

bool StateHistory::Data::restore_checkpoint(std::size_t number, std::size_t checkpoint, SessionState* state,
                                            Occupancy* occupancy) {
  const CheckpointDirectory::OfSession& said = file.directory().sessions[number];
  return CheckpointWords::restore(words_at(file, said, checkpoint, trace.sessions()[number]), said,
                                  {state->actors, *occupancy, state->cpu, state->counts}) &&
         state->actors.now() == said.checkpoints[checkpoint].ns;
}

void StateHistory::Data::each_checkpoint(std::size_t number, std::size_t most, const Seen& f) {
  prepare();
  if (path.empty() || number >= file.directory().sessions.size()) return;
  const std::vector<StoredCheckpoint>& all = file.directory().sessions[number].checkpoints;
  const std::size_t count = std::min(most, all.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t checkpoint = (i + 1) * all.size() / count - 1;
    SessionState state(trace.sessions()[number]);
    Occupancy occupancy;
    if (!restore_checkpoint(number, checkpoint, &state, &occupancy)) return;
    f(all[checkpoint].ns, state);
  }
}

// The state from which events are replayed.
SessionState StateHistory::Data::before(std::size_t session, std::int64_t ns, Occupancy* occupancy) {
  prepare();
  while (true) {
    SessionState state(trace.sessions()[session]);
    *occupancy = Occupancy();
    const Restored restored = restore(session, ns, &state, occupancy);
    if (restored == Restored::kYes) return state;
    if (restored == Restored::kNoneBefore) break;
    file.close();
    const bool removed = unlink(path.c_str()) == 0 || errno == ENOENT;
    path.clear();
    if (removed && !made) find_or_make();
  }
  *occupancy = Occupancy();
  return SessionState(trace.sessions()[session]);
}

SessionState StateHistory::Data::at(std::size_t session, std::int64_t ns) {
  const Session& of = trace.sessions()[session];
  Occupancy occupancy;
  SessionState state = before(session, ns, &occupancy);
  Events events = trace.events(events_behind(of, state.actors.now(), ns));
  RoleEvents roles(trace, events, ns);
  roles.begin_session(session, std::move(state.actors));
  ThreadStates threads(Actors::Impl::of(roles.actors()), std::move(occupancy));
  RunningTime running(threads, state.cpu);
  while (const RoleEvent* const event = roles.next()) {
    running.take(*event);
    state.counts.take(*event);
    ++replayed;
  }
  state.doubts = threads.occupancy().doubts();
  state.actors = std::move(roles.actors());
  too_many_actors |= state.actors.has_others();
  return state;
}

void StateHistory::Data::doubt_runs(std::size_t session, TimeRange range, CpuTime* cpu) {
  const Session& of = trace.sessions()[session];
  Occupancy occupancy;
  SessionState state = before(session, range.from_ns - 1, &occupancy);
  Events events = trace.events(events_behind(of, state.actors.now(), range.to_ns));
  RoleEvents roles(trace, events, range.to_ns);
  roles.begin_session(session, std::move(state.actors));
  ThreadStates threads(Actors::Impl::of(roles.actors()), std::move(occupancy));
  DoubtedRuns runs(threads, range.from_ns - 1);
  for (const RoleEvent* event = roles.next(); event != nullptr && runs.take(*event);) {
    ++replayed;
    event = roles.next();
  }
  for (const auto& [thread, since] : runs.since()) CpuTime::Impl::of(*cpu).doubt(thread, since);
}

RunEnds StateHistory::Data::run_ends(std::size_t session, std::int64_t ns) {
  const Session& of = trace.sessions()[session];
  Occupancy occupancy;
  SessionState state = before(session, ns, &occupancy);
  Events events = trace.events(events_behind(of, state.actors.now(), cut_of(of).to_ns));
  RoleEvents roles(trace, events);
  roles.begin_session(session, std::move(state.actors));
  ThreadStates threads(Actors::Impl::of(roles.actors()), std::move(occupancy));
  RunsGoingOn runs(roles.actors(), threads, ns);
  while (const RoleEvent* const event = roles.next()) {
    if (!runs.take(*event)) return runs.ends();
  }
  return ends_with_cut(of) ? runs.ends() : runs.finish(of.last_ns);
}

RunEnds::key_type run_key(const Actor& thread) { return {thread.part, thread.is_stream, thread.number}; }

StateHistory::StateHistory(Trace& trace, HistoryOptions options)
    : data_(std::make_unique<Data>(trace, std::move(options))) {}
StateHistory::StateHistory(StateHistory&&) noexcept = default;
StateHistory::~StateHistory() = default;

SessionState StateHistory::at(std::size_t session, std::int64_t ns) {
  data_->replayed = 0;
  return data_->at(session, ns);
}

std::pair<SessionState, SessionState> StateHistory::between(std::size_t session, TimeRange range) {
  const Session& of = data_->trace.sessions()[session];
  std::pair<SessionState, SessionState> both{SessionState(of), SessionState(of)};
  data_->prepare();
  data_->replayed = 0;
  if (data_->too_many_actors) return both;
  if (range.from_ns > first_row_ns(of) || CarriedEvents::may_be_in(of)) {
    both.first = data_->at(session, range.from_ns - 1);
    if (of.lost > 0) data_->doubt_runs(session, range, &both.first.cpu);
  }
  both.second = data_->at(session, range.to_ns);
  return both;
}

RunEnds StateHistory::run_ends(std::size_t session, std::int64_t ns, const Actors& actors, const CpuTime& cpu) {
  const Session& of = data_->trace.sessions()[session];
  RunEnds at_end;
  for (std::uint32_t i = 0; i < actors.threads().size(); ++i) {
    if (cpu.runs(i)) at_end[run_key(actors.threads()[i])] = of.last_ns;
  }
  if (at_end.empty()) return {};
  if (ends_with_cut(of) && ns >= std::min(of.last_ns, cut_of(of).to_ns)) return {};
  return ns < of.last_ns ? data_->run_ends(session, ns) : at_end;
}
void StateHistory::each_checkpoint(std::size_t session, std::size_t most, const Data::Seen& f) {
  data_->each_checkpoint(session, most, f);
}
bool StateHistory::has_too_many_actors() const { return data_->too_many_actors; }
const Status& StateHistory::status() const { return data_->status; }
const std::string& StateHistory::checkpoint_file() const { return data_->path; }
std::uint64_t StateHistory::events_replayed() const { return data_->replayed; }

}  // namespace evt
