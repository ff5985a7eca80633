// 1. A file of this trace in the cache has its checkpoints. Else one pass over the trace makes them (Data::make):
// 2. between two events, where enough have been since the last one, and the file stays small beside the rows;
// 3. if an event comes whose time is not after a checkpoint's, that checkpoint is dropped.
// 4. A question is answered from the checkpoint before it, by taking the events from there on.
// 5. The state at the end of each session stays in memory: most questions are about the end, and it may have no
//    checkpoint.
// 6. A file that turns out to be damaged is removed and made again.
#include <errno.h>
#include <evt/analysis/state_history.h>
#include <evt/cache_folder.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <utility>

#include "checkpoint_file.h"
#include "format-spec/src/block/crc32c.h"
#include "format-spec/src/row/row_writer.h"
#include "libtrace-read/analyze/src/carried_events.h"
#include "libtrace-read/analyze/src/cpu_time_impl.h"
#include "libtrace-read/core/src/trace/trace_data.h"
#include "replay.h"

namespace evt {
namespace {

constexpr const char* kSuffix = ".checkpoints";

std::uint64_t rows_of(const Trace& trace) {
  std::uint64_t rows = 0;
  for (const Session& session : trace.sessions()) rows += session.rows;
  return rows;
}

// Time of the first row of any stream; INT64_MAX without any.
std::int64_t first_row_ns(const Session& session) {
  std::int64_t first = INT64_MAX;
  for (const StreamInfo& stream : session.streams) {
    if (stream.rows > 0) first = std::min(first, stream.first_ns);
  }
  return first;
}

std::uint32_t checksum_of_end(const Trace& trace) {
  ByteSource& source = *TraceData::of(trace).source;
  std::array<std::byte, 4 << 10> end;
  const std::uint64_t from = source.size() - std::min<std::uint64_t>(source.size(), end.size());
  return crc32c(0, end.data(), source.read_at(from, end.data(), end.size()));
}

// The name of the file with a trace's checkpoints.
std::string file_name(const Trace& trace, const std::string& trace_file) {
  std::error_code has_none;
  const auto changed = std::filesystem::last_write_time(trace_file, has_none).time_since_epoch().count();
  return fmt::format("{:02x}-{:x}-{:x}-{:08x}{}", fmt::join(trace.sessions().front().uuid, ""), trace.size(), changed,
                     checksum_of_end(trace), kSuffix);
}

// Decides when a session gets a checkpoint. Trying costs work for the whole state, so it is rare, too.
class Pace {
 public:
  explicit Pace(const HistoryOptions& options) : options_(options) {}

  void step(const RoleEvent& event) {
    ++events_;
    ++seen_;
    if (event.event != nullptr)
      row_bytes_ += RowWriter::size_of_event(event.event->type().number(), event.event->payload().size());
  }
  // The whole session is requested most often: so its end has one, too.
  bool is_due(bool is_end) const {
    const std::uint64_t enough = options_.events_per_checkpoint;
    return (is_end ? events_ > 0 && seen_ >= enough : events_ >= enough) && expected_ <= most();
  }
  // Bytes that the next one may take compared with the rows, so that all checkpoints stay small.
  std::uint64_t most() const {
    if (options_.rows_per_byte == 0) return UINT64_MAX - 1;
    const std::uint64_t all = row_bytes_ / options_.rows_per_byte;
    return all > spent_ ? all - spent_ : 0;
  }
  // The next one is expected to have this size too.
  void tried(std::uint64_t size) {
    events_ = 0;
    expected_ = size;
    if (size <= most()) spent_ += size;
  }

 private:
  const HistoryOptions& options_;
  std::uint64_t seen_ = 0;
  std::uint64_t events_ = 0;  // since the last try
  std::uint64_t row_bytes_ = 0;
  std::uint64_t spent_ = 0;
  std::uint64_t expected_ = 0;
};

// Returns false if it has more threads or cpus than are followed. Checkpoints would differ in which of them are folded,
// so everything is read each time.
bool make_session(Trace& trace, std::uint32_t number, const HistoryOptions& options, CheckpointFileWriter& writer,
                  EndState* end) {
  Replay replay(trace, number, INT64_MIN, Replay::Follows::kAll);
  Pace pace(options);
  const auto keep = [&](Archive state) {
    pace.tried(writer.append(number, replay.actors().now(), std::move(state), pace.most()));
  };
  const auto state = [&] {
    Archive archive;
    replay.archive(archive);
    return archive;
  };
  const std::size_t known = trace.damage().size();
  std::uint64_t seen = 0;
  const auto take = [&](const TimelineItem& item) {
    replay.take(item);
    if (item.kind == ItemKind::kRow) pace.step(*item.event);
  };
  while (replay.next(take)) {
    if (++seen % 65536 == 0) {
      if (trace.damage().size() != known) return true;  // nothing will be kept
      if (options.progress) options.progress(seen, replay.actors().session().rows);
    }
    writer.drop(number, replay.recorded_ns());
    if (pace.is_due(false) && replay.can_be_kept()) keep(state());
    if (pace.is_due(false) && replay.actors().has_others()) return false;
  }
  if (replay.can_be_kept() && !replay.has_many_names()) {
    Archive last = state();
    if (last.is_ok()) *end = {replay.actors().now(), last.words()};
    if (pace.is_due(true)) keep(std::move(last));
  }
  if (replay.has_many_names()) writer.drop(number, INT64_MIN);
  return !replay.actors().has_others();
}

Timeline::Options until(std::int64_t ns) {
  Timeline::Options options;
  options.range = [ns](const Session&) { return TimeRange{INT64_MIN, ns}; };
  return options;
}

bool restore(Replay* replay, std::optional<Archive> state, std::int64_t ns) {
  if (state) replay->archive(*state);
  return state && state->is_whole() && replay->actors().now() == ns;
}

bool ends_run(const TimelineItem& item) {
  return item.kind == ItemKind::kState && item.before == ThreadState::kRunning;
}

}  // namespace

struct StateHistory::Data {
  Data(Trace& of, HistoryOptions with)
      : trace(of), options(std::move(with)), cache(options.cache_folder, "checkpoints", kSuffix) {}

  void prepare();
  // Checkpoints of all sessions, in one pass over the trace.
  void make(const std::string& at);
  std::pair<std::int64_t, std::optional<Archive>> state_before(std::size_t session, std::int64_t ns);
  // A session from the latest state that is not after this time.
  Replay from_before(std::size_t session, std::int64_t ns, Replay::Follows follows, const Timeline::Options& wanted);
  Replay runs_from_before(std::size_t session, std::int64_t ns, std::int64_t to_ns) {
    return from_before(session, ns, Replay::Follows::kRuns, until(to_ns));
  }
  SessionState at(std::size_t session, std::int64_t ns);
  void doubt_runs(std::size_t session, TimeRange range, CpuTime* cpu);

  Trace& trace;
  HistoryOptions options;
  CacheFolder cache;
  CheckpointFile file;
  std::vector<EndState> ends;  // by session, after make()
  std::string path;            // path of the open file
  Status status;
  std::uint64_t replayed = 0;
  bool too_many_actors = false;
  bool is_prepared = false;
  bool is_made = false;
};

void StateHistory::Data::prepare() {
  // Rows that a ring adds are not in the file, and may be more the next time.
  if (std::exchange(is_prepared, true) || options.cache_folder.empty() || !trace.recovery().rings.empty()) return;
  if (trace.sessions().empty() || rows_of(trace) < options.events_per_checkpoint) return;
  status = options.makes_checkpoints ? cache.open() : cache.check();
  if (!status.ok()) return;
  const std::string at = cache.path() + "/" + file_name(trace, options.trace_file);
  if (!file.open(at, trace)) return make(at);
  path = at;
  CacheFolder::note_use(at);
}

void StateHistory::Data::make(const std::string& at) {
  if (!options.makes_checkpoints || std::exchange(is_made, true)) return;
  CheckpointFileWriter writer;
  status = writer.open(at);
  if (!status.ok()) return;
  const std::size_t known = trace.damage().size();
  const auto can_keep = [&] { return !too_many_actors && trace.damage().size() == known; };
  for (std::uint32_t i = 0; can_keep() && i < trace.sessions().size(); ++i) {
    too_many_actors = !make_session(trace, i, options, writer, &ends.emplace_back());
  }
  // A reader that starts at a checkpoint does not see earlier damage: so no file is kept, and each run reports the
  // damage.
  if (can_keep()) {
    status = writer.complete(trace);
  } else {
    ends.clear();
  }
  if (file.open(at, trace)) path = at;
  cache.shrink(options.cache_bytes, at);
}

// The latest state that is not after this time, and its time; INT64_MIN without one.
std::pair<std::int64_t, std::optional<Archive>> StateHistory::Data::state_before(std::size_t session, std::int64_t ns) {
  if (session < ends.size() && ends[session].ns <= ns) return {ends[session].ns, Archive(ends[session].words)};
  const std::span<const Checkpoint> all = file.of(session);
  const auto behind =
      std::partition_point(all.begin(), all.end(), [&](const Checkpoint& each) { return each.ns <= ns; });
  if (behind == all.begin()) return {INT64_MIN, std::nullopt};
  return {(behind - 1)->ns, file.state(*(behind - 1))};
}

Replay StateHistory::Data::from_before(std::size_t session, std::int64_t ns, Replay::Follows follows,
                                       const Timeline::Options& wanted) {
  prepare();
  while (true) {
    auto [at, state] = state_before(session, ns);
    Replay replay(trace, session, at, follows, wanted);
    if (at == INT64_MIN || restore(&replay, std::move(state), at)) return replay;
    ends.clear();
    file.close();
    const std::string damaged = std::exchange(path, {});
    if (unlink(damaged.c_str()) == 0 || errno == ENOENT) make(damaged);
  }
}

SessionState StateHistory::Data::at(std::size_t session, std::int64_t ns) {
  Replay replay = runs_from_before(session, ns, ns);
  while (replay.next([&](const TimelineItem& item) { replay.take(item); })) continue;
  replayed += replay.events();
  SessionState state = replay.finish();
  too_many_actors |= state.actors.has_others();
  return state;
}

// Losses that began before a range, and are recorded in it, make runs of the state before the range uncertain. A loss
// began at its stream's previous event: so it reaches back if it is the first of the stream in the range.
void StateHistory::Data::doubt_runs(std::size_t session, TimeRange range, CpuTime* cpu) {
  const std::int64_t before = range.from_ns - 1;
  Replay replay = runs_from_before(session, before, range.to_ns);
  replay.reach(before);
  std::map<std::uint32_t, std::uint32_t> open = replay.running();
  std::uint32_t stream = 0;
  const auto take = [&](const TimelineItem& item) {
    stream = item.event->stream->id;
    if (ends_run(item)) open.erase(item.thread);
    if (item.kind == ItemKind::kUncertain && item.began_ns <= before && open.contains(item.thread)) {
      CpuTime::Impl::of(*cpu).doubt(item.thread, item.began_ns);
    }
  };
  while (!open.empty() && replay.next(take)) {
    std::erase_if(open, [&](const auto& run) { return run.second == stream; });
  }
  replayed += replay.events();
}

RunEnds::key_type run_key(const Actor& thread) { return {thread.part, thread.is_stream, thread.number}; }

StateHistory::StateHistory(Trace& trace, HistoryOptions options)
    : data_(std::make_unique<Data>(trace, std::move(options))) {}

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

// A cut session has no stops from after its range, except those that began before and were recorded later.
RunEnds StateHistory::run_ends(std::size_t session, std::int64_t ns, const Actors& actors, const CpuTime& cpu) {
  constexpr std::uint64_t kMaxAhead = 1 << 20;
  const Session& of = data_->trace.sessions()[session];
  const std::int64_t cut_ns = cut_of(of).to_ns;
  const bool ends_with_cut = cut_ns != INT64_MAX;
  RunEnds ends;
  for (std::uint32_t i = 0; i < actors.threads().size(); ++i) {
    if (cpu.runs(i)) ends[run_key(actors.threads()[i])] = of.last_ns;
  }
  if (ends.empty() || (ends_with_cut && ns >= std::min(of.last_ns, cut_ns))) return {};
  if (ns >= of.last_ns) return ends;
  ends.clear();
  data_->replayed = 0;
  Replay replay = data_->runs_from_before(session, ns, cut_ns);
  replay.reach(ns);
  std::map<std::uint32_t, std::uint32_t> open = replay.running();
  const auto end = [&](std::uint32_t thread, std::int64_t at) {
    ends[run_key(replay.actors().threads()[thread])] = at;
  };
  const auto take = [&](const TimelineItem& item) {
    if (ends_run(item) && open.erase(item.thread) > 0) end(item.thread, item.ns);
  };
  bool is_end = false;
  for (std::uint64_t ahead = 0; !is_end && !open.empty() && ahead < kMaxAhead; ++ahead) is_end = !replay.next(take);
  data_->replayed = replay.events();
  if (!is_end || ends_with_cut) return ends;
  for (const auto& [thread, stream] : open) end(thread, of.last_ns);
  return ends;
}

SessionStart StateHistory::start(std::size_t session, const Timeline::Options& options) {
  const Session& of = data_->trace.sessions()[session];
  const TimeRange range = within_cut(of, options.range(of));
  if (range.from_ns > first_event_ns(of)) {
    Replay replay = data_->from_before(session, range.from_ns - 1, Replay::Follows::kRange, options);
    if (range.to_ns >= of.last_ns || !replay.depends_on_idle()) return replay.begin();
  }
  return Replay(data_->trace, session, INT64_MIN, Replay::Follows::kRange, options).begin();
}

void StateHistory::each_checkpoint(std::size_t session, std::size_t most,
                                   const std::function<void(std::int64_t ns, const SessionState&)>& f) {
  data_->prepare();
  const std::span<const Checkpoint> all = data_->file.of(session);
  const std::size_t count = std::min(most, all.size());
  for (std::size_t i = 1; i <= count; ++i) {
    const Checkpoint& checkpoint = all[i * all.size() / count - 1];
    Replay replay(data_->trace, session, checkpoint.ns, Replay::Follows::kRuns, until(checkpoint.ns));
    if (!restore(&replay, data_->file.state(checkpoint), checkpoint.ns)) return;
    f(checkpoint.ns, replay.finish());
  }
}

bool StateHistory::has_too_many_actors() const { return data_->too_many_actors; }
const Status& StateHistory::status() const { return data_->status; }
const std::string& StateHistory::checkpoint_file() const { return data_->path; }
std::uint64_t StateHistory::events_replayed() const { return data_->replayed; }

}  // namespace evt
