// 1. A side file that is of this trace says where checkpoints are. Else one pass over the trace makes them
// (StateMaker):
// 2. between two events, where enough have been since the last one, and the side file stays small beside the rows;
// 3. when an event comes whose time is not after a checkpoint's, that checkpoint is dropped.
// 4. A question is answered from the checkpoint before it, by taking the events from there on.
// 5. A checkpoint that says what cannot be ends the belief in its file: the next one is taken, or made.
#include <evt/analysis/state_history.h>

#include <algorithm>
#include <filesystem>

#include "state_belief.h"
#include "state_delta.h"
#include "state_file.h"
#include "state_making.h"
#include "state_words.h"

namespace evt {

struct StateHistory::Data {
  Data(Trace& of, HistoryOptions with) : trace(of), options(std::move(with)), rights(rights_of(options.trace_file)) {}

  SessionState at(std::size_t session, std::int64_t ns);
  // The file is believed no more; false if there is no other.
  bool disbelieve();

  Trace& trace;
  HistoryOptions options;
  TraceRights rights;
  StateFile file;
  std::string path;
  Status status;
  std::uint64_t replayed = 0;
  bool too_many_actors = false;

  void prepare();

 private:
  enum class Restored : std::uint8_t { kYes, kNoneBefore, kFalse };

  SessionState before(std::size_t session, std::int64_t ns);
  void find_or_make();
  void make();
  Restored restore(std::size_t session, std::int64_t ns, SessionState* state);

  bool prepared = false;
  unsigned looked_at = 0;  // of the places where a side file may be
  bool made = false;
};

namespace {

std::uint64_t rows_of(const Trace& trace) {
  std::uint64_t rows = 0;
  for (const Session& session : trace.sessions()) rows += session.rows;
  return rows;
}

// The numbers of a checkpoint: the last one before that is whole, and the differences since. Empty if they are damaged.
std::vector<std::uint64_t> words_at(const StateFile& file, const StateDirectory::OfSession& said, std::size_t number,
                                    const Session& session) {
  const std::vector<StateCheckpoint>& all = said.checkpoints;
  std::size_t first = number;
  while (all[first].is_delta) {
    if (first == 0 || number - first == kMostDeltas) return {};
    --first;
  }
  const std::size_t most = StateWords::most(session, said);
  std::vector<std::uint64_t> words;
  for (std::size_t i = first; i <= number; ++i) {
    std::vector<std::uint64_t> next = file.words(all[i], most);
    if (i > first && !add(&next, words, session.streams.size())) return {};
    words = std::move(next);
  }
  return words;
}

// The folder of a file, inside of one's own folders alone. What cannot be made is found when the file is opened.
void make_own_folder(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::filesystem::path there = folder;
  std::error_code failed;
  while (!there.empty() && !std::filesystem::exists(there, failed)) there = there.parent_path();
  if (is_own_folder(there.string())) std::filesystem::create_directories(folder, failed);
}

}  // namespace

void StateHistory::Data::prepare() {
  if (prepared) return;
  prepared = true;
  // What a ring adds is not in the file, and may be more the next time.
  if (options.side_file.empty() || !trace.recovery().rings.empty()) return;
  if (rows_of(trace) < options.events_per_checkpoint) return;
  find_or_make();
}

void StateHistory::Data::find_or_make() {
  const std::string* const places[] = {&options.side_file, &options.other_side_file};
  while (looked_at < std::size(places)) {
    const std::string& place = *places[looked_at++];
    if (place.empty() || !file.open(place, rights, trace.sessions().size())) continue;
    if (is_of_trace(file.directory(), trace)) {
      path = place;
      return;
    }
    file.close();
  }
  make();
}

void StateHistory::Data::make() {
  made = true;
  StateFileWriter beside;
  StateFileWriter elsewhere;
  StateFileWriter* writer = &beside;
  std::string at = options.side_file;
  status = beside.open(at, rights);
  if (!status.ok() && !options.other_side_file.empty()) {
    at = options.other_side_file;
    make_own_folder(at);
    writer = &elsewhere;
    if (elsewhere.open(at, rights).ok()) status = Status();
  }
  if (!status.ok()) return;
  MakingWork work;
  status = make_state(trace, options, *writer, &work);
  too_many_actors = work.too_many_actors;
  if (writer->is_complete() && file.open(at, rights, trace.sessions().size())) path = at;
}

// The latest checkpoint that is not after this time.
StateHistory::Data::Restored StateHistory::Data::restore(std::size_t number, std::int64_t ns, SessionState* state) {
  if (number >= file.directory().sessions.size()) return Restored::kNoneBefore;
  const Session& session = trace.sessions()[number];
  const StateDirectory::OfSession& said = file.directory().sessions[number];
  const auto behind = std::upper_bound(said.checkpoints.begin(), said.checkpoints.end(), ns,
                                       [](std::int64_t at, const StateCheckpoint& each) { return at < each.ns; });
  if (behind == said.checkpoints.begin()) return Restored::kNoneBefore;
  const auto latest = static_cast<std::size_t>(behind - said.checkpoints.begin()) - 1;
  const bool ok =
      StateWords::restore(words_at(file, said, latest, session), said, {state->actors, state->cpu, state->counts}) &&
      state->actors.now() == behind[-1].ns && can_have_been(*state);
  return ok ? Restored::kYes : Restored::kFalse;
}

// By what a question begins.
SessionState StateHistory::Data::before(std::size_t session, std::int64_t ns) {
  prepare();
  while (true) {
    SessionState state(trace.sessions()[session]);
    const Restored restored = restore(session, ns, &state);
    if (restored == Restored::kYes) return state;
    if (restored == Restored::kNoneBefore || !disbelieve()) break;
  }
  return SessionState(trace.sessions()[session]);
}

bool StateHistory::Data::disbelieve() {
  if (path.empty()) return false;
  file.close();
  path.clear();
  if (!made) find_or_make();
  return true;
}

SessionState StateHistory::Data::at(std::size_t session, std::int64_t ns) {
  const Session& of = trace.sessions()[session];
  SessionState state = before(session, ns);
  const std::int64_t from = state.actors.now();
  EventOptions wanted = events_of_history();
  wanted.range = [&](const Session& each) {
    if (&each != &of || from >= ns) return TimeRange{1, 0};
    return TimeRange{from == INT64_MIN ? INT64_MIN : from + 1, ns};
  };
  Events events = trace.events(wanted);
  RoleEvents roles(trace, events, ns);
  roles.begin_session(session, std::move(state.actors));
  replayed = 0;
  while (const RoleEvent* const event = roles.next()) {
    state.cpu.take(*event);
    state.counts.take(*event);
    ++replayed;
  }
  state.actors = std::move(roles.actors());
  too_many_actors |= state.actors.has_others();
  return state;
}

StateHistory::StateHistory(Trace& trace, HistoryOptions options)
    : data_(std::make_unique<Data>(trace, std::move(options))) {}
StateHistory::StateHistory(StateHistory&&) noexcept = default;
StateHistory::~StateHistory() = default;

SessionState StateHistory::at(std::size_t session, std::int64_t ns) { return data_->at(session, ns); }

std::pair<SessionState, SessionState> StateHistory::between(std::size_t session, TimeRange range) {
  const Session& of = data_->trace.sessions()[session];
  const bool from_start = range.from_ns <= first_row_ns(of);
  while (true) {
    std::pair<SessionState, SessionState> both{SessionState(of), SessionState(of)};
    data_->prepare();
    if (data_->too_many_actors) return both;
    if (!from_start) both.first = data_->at(session, range.from_ns - 1);
    both.second = data_->at(session, range.to_ns);
    if (data_->too_many_actors || can_become(both.first, both.second, range) || !data_->disbelieve()) return both;
  }
}

bool StateHistory::has_too_many_actors() const { return data_->too_many_actors; }
const Status& StateHistory::status() const { return data_->status; }
const std::string& StateHistory::side_file() const { return data_->path; }
std::uint64_t StateHistory::events_replayed() const { return data_->replayed; }

}  // namespace evt
