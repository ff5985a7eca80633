#include "checkpoint_making.h"

#include <algorithm>

#include "checkpoint_delta.h"
#include "checkpoint_words.h"
#include "format-spec/src/row/row_writer.h"
#include "running_time.h"

namespace evt {
namespace {

// Decides when a session gets a checkpoint.
class Pace {
 public:
  // `rows`: of the whole session.
  Pace(const HistoryOptions& options, std::uint64_t rows) : options_(options), rows_(rows) {}

  void step(const RoleEvent& event) {
    ++events_;
    ++seen_;
    if (event.event != nullptr)
      row_bytes_ += RowWriter::size_of_event(event.event->type().number(), event.event->payload().size());
  }
  bool is_due(std::size_t words) const { return events_ >= options_.events_per_checkpoint && is_small(words); }
  // At the end of the session: what is asked most often is the whole of it.
  bool is_due_at_end(std::size_t words) const {
    return events_ > 0 && seen_ >= options_.events_per_checkpoint && is_small(words);
  }
  void made(const StoredCheckpoint& checkpoint) {
    events_ = 0;
    spent_ += checkpoint.size;
    last_words_ = checkpoint.words;
    last_size_ = checkpoint.size;
  }

 private:
  // Beside the rows, so that all checkpoints stay small.
  bool is_small(std::size_t words) const {
    // By the size of the one before, or, without one, by a quarter of its words' bytes.
    const std::uint64_t expected = last_words_ > 0 ? last_size_ * words / last_words_ : words * 2;
    // Each cell has three words of them, and eight bytes in the directory, of which this part of the trace pays its
    // share.
    const std::uint64_t directory = words * 3 * seen_ / std::max<std::uint64_t>(rows_, seen_);
    return (spent_ + expected + directory) * options_.rows_per_byte <= row_bytes_;
  }

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
  Keeper(CheckpointFileWriter& file, std::size_t streams) : file_(file), streams_(streams) {}

  StoredCheckpoint keep(std::vector<std::uint64_t> words, bool has_before) {
    const bool is_delta = has_before && !before_.empty() && deltas_ < kMaxDeltas;
    deltas_ = is_delta ? deltas_ + 1 : 0;
    std::vector<std::uint64_t> kept = words;
    if (is_delta) subtract(&kept, before_, streams_);
    StoredCheckpoint made = file_.append(kept);
    made.is_delta = is_delta;
    before_ = std::move(words);
    return made;
  }
  // The one before is not there any more.
  void forget() { before_.clear(); }

 private:
  CheckpointFileWriter& file_;
  std::size_t streams_;
  std::vector<std::uint64_t> before_;
  unsigned deltas_ = 0;
};

// One pass over the trace.
class CheckpointMaker {
 public:
  CheckpointMaker(Trace& trace, const HistoryOptions& options, CheckpointFileWriter& writer)
      : trace_(trace), options_(options), writer_(writer) {}

  Status make() {
    directory_.trace_size = trace_.size();
    const std::size_t known = trace_.damage().size();
    Events events = trace_.events(events_of_history());
    RoleEvents roles(trace_, events);
    for (const Session& session : trace_.sessions()) {
      if (!roles.next_session()) break;
      make_session(session, roles);
      if (work_.too_many_actors) return {};
    }
    // A reader that starts at a checkpoint does not meet the damage before it: so no file is kept, and each run reports
    // it.
    if (trace_.damage().size() > known) return {};
    return writer_.complete(std::move(directory_));
  }
  const MakingWork& work() const { return work_; }

 private:
  // A checkpoint, and how much of the directory it needs.
  struct Made {
    StoredCheckpoint checkpoint;
    CheckpointWords::Sizes sizes;
  };

  void make_session(const Session& session, RoleEvents& roles) {
    std::vector<Made> made;
    CpuTime cpu;
    EventCounts counts;
    ThreadStates threads(Actors::Impl::of(roles.actors()));
    RunningTime running(threads, cpu);
    const CheckpointParts state{roles.actors(), threads.occupancy(), cpu, counts};
    Pace pace(options_, session.rows);
    Keeper keeper(writer_, session.streams.size());
    bool is_full = false;
    std::uint64_t seen = 0;
    while (const RoleEvent* const event = roles.next()) {
      if (++seen % 65536 == 0 && options_.progress) options_.progress(seen, session.rows);
      while (!made.empty() && event->recorded_ns <= made.back().checkpoint.ns) {
        made.pop_back();
        keeper.forget();
      }
      running.take(*event);
      counts.take(*event);
      pace.step(*event);
      // Once there is no room there never is: asking goes over all actors, so it must not be asked for each event.
      const bool may_be_due = !is_full && !threads.is_any_collecting();
      if (may_be_due && pace.is_due(CheckpointWords::size(state)) && roles.coming_ns() > event->ns) {
        // Which threads are folded differs from checkpoint to checkpoint: all is read each time.
        if (state.actors.has_others()) break;
        is_full = !has_room(state, made.size());
        if (!is_full) pace.made(keep(state, event->ns, &keeper, &made));
      }
    }
    const bool may_keep = !is_full && !threads.is_any_collecting() && !state.actors.has_others() &&
                          pace.is_due_at_end(CheckpointWords::size(state));
    if (may_keep && has_room(state, made.size())) keep(state, state.actors.now(), &keeper, &made);
    work_.too_many_actors |= state.actors.has_others();
    describe(state, made);
  }

  static const StoredCheckpoint& keep(const CheckpointParts& state, std::int64_t ns, Keeper* keeper,
                                      std::vector<Made>* made) {
    std::vector<std::uint64_t> words = CheckpointWords::save(state);
    Made& last = made->emplace_back();
    std::copy_n(words.begin(), last.sizes.size(), last.sizes.begin());
    last.checkpoint = keeper->keep(std::move(words), made->size() > 1);
    last.checkpoint.ns = ns;
    return last.checkpoint;
  }

  // In the directory, for what this state needs there.
  bool has_room(const CheckpointParts& state, std::size_t checkpoints) {
    work_.actors_measured += state.actors.threads().size() + state.actors.cpus().size();
    const std::size_t size = CheckpointWords::directory_size(state) + (checkpoints + 1) * sizeof(StoredCheckpoint);
    return said_ + size <= most_directory(0);
  }

  void describe(const CheckpointParts& state, const std::vector<Made>& made) {
    const Session& session = state.actors.session();
    CheckpointDirectory::OfSession& said = directory_.sessions.emplace_back();
    said.uuid = session.uuid;
    said.rows = session.rows;
    if (made.empty()) return;
    CheckpointWords::describe(state, made.back().sizes, &said);
    for (const Made& each : made) said.checkpoints.push_back(each.checkpoint);
    said_ += CheckpointWords::directory_size(state) + made.size() * sizeof(StoredCheckpoint);
  }

  Trace& trace_;
  const HistoryOptions& options_;
  CheckpointFileWriter& writer_;
  CheckpointDirectory directory_;
  std::size_t said_ = 0;  // of it, in bytes
  MakingWork work_;
};

}  // namespace

EventOptions events_of_history() {
  EventOptions options;
  options.markers = true;
  return options;
}

Status make_state(Trace& trace, const HistoryOptions& options, CheckpointFileWriter& writer, MakingWork* work) {
  CheckpointMaker maker(trace, options, writer);
  Status made = maker.make();
  if (work != nullptr) *work = maker.work();
  return made;
}

}  // namespace evt
