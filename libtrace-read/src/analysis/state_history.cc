// 1. A side file that is of this trace says where checkpoints are. Else one pass over the trace makes them:
// 2. between two events, where enough have been since the last one, and the side file stays small beside the rows;
// 3. when an event comes whose time is not after a checkpoint's, that checkpoint is dropped.
// 4. A question is answered from the checkpoint before it, by taking the events from there on.
#include <evt/analysis/state_history.h>

#include <algorithm>
#include <filesystem>

#include "state_delta.h"
#include "state_file.h"
#include "state_words.h"

namespace evt {

struct StateHistory::Data {
  Data(Trace& of, HistoryOptions with) : trace(of), options(std::move(with)) {}

  bool is_of_trace(const StateDirectory& directory) const;
  void prepare();
  void make();
  void make_session(std::size_t number, RoleEvents& roles, StateFileWriter& file, StateDirectory* directory);
  bool restore(std::size_t session, std::int64_t ns, SessionState* state);

  Trace& trace;
  HistoryOptions options;
  bool prepared = false;
  StateFile file;
  std::string path;
  Status status;
  std::uint64_t replayed = 0;
};

namespace {

std::uint64_t rows_of(const Trace& trace) {
  std::uint64_t rows = 0;
  for (const Session& session : trace.sessions()) rows += session.rows;
  return rows;
}

EventOptions all_events() {
  EventOptions options;
  options.markers = true;
  return options;
}

// Decides when a session gets a checkpoint.
class Pace {
 public:
  // `rows`: of the whole session.
  Pace(const HistoryOptions& options, std::uint64_t rows) : options_(options), rows_(rows) {}

  void step(const RoleEvent& event) {
    ++events_;
    ++seen_;
    if (event.event != nullptr) row_bytes_ += EVT_ROW_HEADER_SIZE + event.event->payload().size();
  }
  bool is_due(std::size_t words) const {
    if (events_ < options_.events_per_checkpoint) return false;
    // By what the one before came to, or, without one, by a quarter of its words' bytes.
    const std::uint64_t expected = last_words_ > 0 ? last_size_ * words / last_words_ : words * 2;
    // Each cell has three words of them, and eight bytes in the directory, of which this part of the trace pays its
    // share.
    const std::uint64_t directory = words * 3 * seen_ / std::max<std::uint64_t>(rows_, seen_);
    return (spent_ + expected + directory) * options_.rows_per_byte <= row_bytes_;
  }
  void made(const StateCheckpoint& checkpoint) {
    events_ = 0;
    spent_ += checkpoint.size;
    last_words_ = checkpoint.words;
    last_size_ = checkpoint.size;
  }

 private:
  const HistoryOptions& options_;
  std::uint64_t rows_;
  std::uint64_t seen_ = 0;
  std::uint64_t events_ = 0;  // since the last checkpoint
  std::uint64_t row_bytes_ = 0;
  std::uint64_t spent_ = 0;
  std::uint64_t last_words_ = 0;
  std::uint64_t last_size_ = 0;
};

// Writes checkpoints, most of them as the difference to the one before.
class Keeper {
 public:
  Keeper(StateFileWriter& file, std::size_t streams) : file_(file), streams_(streams) {}

  StateCheckpoint keep(std::vector<std::uint64_t> words, bool has_before) {
    const bool is_delta = has_before && !before_.empty() && deltas_ < kMostDeltas;
    deltas_ = is_delta ? deltas_ + 1 : 0;
    std::vector<std::uint64_t> kept = words;
    if (is_delta) subtract(&kept, before_, streams_);
    StateCheckpoint made = file_.append(kept);
    made.is_delta = is_delta;
    before_ = std::move(words);
    return made;
  }
  // The one before is not there any more.
  void forget() { before_.clear(); }

 private:
  static constexpr unsigned kMostDeltas = 5;  // to be added up for an answer

  StateFileWriter& file_;
  std::size_t streams_;
  std::vector<std::uint64_t> before_;
  unsigned deltas_ = 0;
};

// The numbers of a checkpoint: the last one before that is whole, and the differences since. Empty if they are damaged.
std::vector<std::uint64_t> words_at(const StateFile& file, const std::vector<StateCheckpoint>& all, std::size_t number,
                                    std::size_t streams) {
  std::size_t first = number;
  while (first > 0 && all[first].is_delta) --first;
  std::vector<std::uint64_t> words;
  for (std::size_t i = first; i <= number; ++i) {
    std::vector<std::uint64_t> next = file.words(all[i]);
    if (all[i].is_delta && !add(&next, words, streams)) return {};
    words = std::move(next);
  }
  return words;
}

}  // namespace

bool StateHistory::Data::is_of_trace(const StateDirectory& directory) const {
  const auto& sessions = trace.sessions();
  return directory.trace_size == trace.size() && directory.sessions.size() == sessions.size() &&
         std::equal(sessions.begin(), sessions.end(), directory.sessions.begin(),
                    [](const Session& session, const StateDirectory::OfSession& said) {
                      return session.uuid == said.uuid && session.rows == said.rows;
                    });
}

void StateHistory::Data::prepare() {
  if (prepared) return;
  prepared = true;
  // What a ring adds is not in the file, and may be more the next time.
  if (options.side_file.empty() || !trace.recovery().rings.empty()) return;
  if (rows_of(trace) < options.events_per_checkpoint) return;
  for (const std::string& candidate : {options.side_file, options.other_side_file}) {
    if (candidate.empty() || !file.open(candidate)) continue;
    if (is_of_trace(file.directory())) {
      path = candidate;
      return;
    }
    file.close();
  }
  make();
}

void StateHistory::Data::make() {
  StateFileWriter writer;
  std::string at = options.side_file;
  status = writer.open(at);
  if (!status.ok() && !options.other_side_file.empty()) {
    at = options.other_side_file;
    std::error_code failed;  // which opening the file will tell
    std::filesystem::create_directories(std::filesystem::path(at).parent_path(), failed);
    if (writer.open(at).ok()) status = Status();
  }
  if (!status.ok()) return;
  StateDirectory directory;
  directory.trace_size = trace.size();
  Events events = trace.events(all_events());
  RoleEvents roles(trace, events);
  for (std::size_t i = 0; roles.next_session(); ++i) make_session(i, roles, writer, &directory);
  status = writer.complete(directory);
  if (status.ok() && file.open(at)) path = at;
}

void StateHistory::Data::make_session(std::size_t number, RoleEvents& roles, StateFileWriter& writer,
                                      StateDirectory* directory) {
  const Session& session = trace.sessions()[number];
  std::vector<StateCheckpoint> checkpoints;
  CpuTime cpu;
  EventCounts counts;
  const StateParts state{roles.actors(), cpu, counts};
  Pace pace(options, session.rows);
  Keeper keeper(writer, session.streams.size());
  std::uint64_t seen = 0;
  while (const RoleEvent* const event = roles.next()) {
    while (!checkpoints.empty() && event->recorded_ns <= checkpoints.back().ns) {
      checkpoints.pop_back();
      keeper.forget();
    }
    cpu.take(*event);
    counts.take(*event);
    pace.step(*event);
    if (pace.is_due(StateWords::size(state)) && roles.coming_ns() > event->ns) {
      checkpoints.push_back(keeper.keep(StateWords::save(state), !checkpoints.empty()));
      checkpoints.back().ns = event->ns;
      pace.made(checkpoints.back());
    }
    if (++seen % 65536 == 0 && options.progress) options.progress(seen, session.rows);
  }
  StateDirectory::OfSession& made = directory->sessions.emplace_back();
  StateWords::describe(state, &made);
  made.checkpoints = std::move(checkpoints);
}

// The latest checkpoint that is not after this time.
bool StateHistory::Data::restore(std::size_t session, std::int64_t ns, SessionState* state) {
  if (session >= file.directory().sessions.size()) return false;
  const StateDirectory::OfSession& said = file.directory().sessions[session];
  const auto behind = std::upper_bound(said.checkpoints.begin(), said.checkpoints.end(), ns,
                                       [](std::int64_t at, const StateCheckpoint& each) { return at < each.ns; });
  if (behind == said.checkpoints.begin()) return false;
  const auto number = static_cast<std::size_t>(behind - said.checkpoints.begin()) - 1;
  const std::vector<std::uint64_t> words =
      words_at(file, said.checkpoints, number, trace.sessions()[session].streams.size());
  return StateWords::restore(words, said, {state->actors, state->cpu, state->counts}) &&
         state->actors.now() == behind[-1].ns;
}

StateHistory::StateHistory(Trace& trace, HistoryOptions options)
    : data_(std::make_unique<Data>(trace, std::move(options))) {}
StateHistory::StateHistory(StateHistory&&) noexcept = default;
StateHistory::~StateHistory() = default;

SessionState StateHistory::at(std::size_t session, std::int64_t ns) {
  data_->prepare();
  const Session& of = data_->trace.sessions()[session];
  SessionState state(of);
  if (!data_->restore(session, ns, &state)) state = SessionState(of);
  const std::int64_t from = state.actors.now();
  EventOptions wanted = all_events();
  wanted.range = [&](const Session& each) {
    if (&each != &of || from >= ns) return TimeRange{1, 0};
    return TimeRange{from == INT64_MIN ? INT64_MIN : from + 1, ns};
  };
  Events events = data_->trace.events(wanted);
  RoleEvents roles(data_->trace, events, ns);
  roles.begin_session(session, std::move(state.actors));
  data_->replayed = 0;
  while (const RoleEvent* const event = roles.next()) {
    state.cpu.take(*event);
    state.counts.take(*event);
    ++data_->replayed;
  }
  state.actors = std::move(roles.actors());
  return state;
}

const Status& StateHistory::status() const { return data_->status; }
const std::string& StateHistory::side_file() const { return data_->path; }
std::uint64_t StateHistory::events_replayed() const { return data_->replayed; }

}  // namespace evt
