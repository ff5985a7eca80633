// 1. A file of this trace in the cache has its checkpoints. Else one pass over the trace makes them (make_checkpoints):
// 2. between two events, where enough have been since the last one, and the file stays small beside the rows;
// 3. when an event comes whose time is not after a checkpoint's, that checkpoint is dropped.
// 4. A question is answered from the checkpoint before it, by taking the events from there on.
// 5. A file that turns out to be damaged is removed and made again.
#include <errno.h>
#include <evt/analysis/state_history.h>
#include <evt/cache_folder.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "checkpoint_file.h"
#include "checkpoint_making.h"
#include "format-spec/src/block/crc32c.h"
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

// Of the first row of any stream; INT64_MAX without any.
std::int64_t first_row_ns(const Session& session) {
  std::int64_t first = INT64_MAX;
  for (const StreamInfo& stream : session.streams) {
    if (stream.rows > 0) first = std::min(first, stream.first_ns);
  }
  return first;
}

// A part has no stops from after where it was cut, but of what began before and was recorded later.
bool ends_with_cut(const Session& session) { return cut_of(session).to_ns != INT64_MAX; }

std::int64_t changed_ns(const std::string& file) {
  struct stat facts;
  if (file.empty() || stat(file.c_str(), &facts) != 0) return 0;
  return facts.st_mtim.tv_sec * std::int64_t{1'000'000'000} + facts.st_mtim.tv_nsec;
}

std::uint32_t checksum_of_end(const Trace& trace) {
  ByteSource& source = *TraceData::of(trace).source;
  std::array<std::byte, 4 << 10> end;
  const std::uint64_t from = source.size() - std::min<std::uint64_t>(source.size(), end.size());
  return crc32c(0, end.data(), source.read_at(from, end.data(), end.size()));
}

// The name of the file that has a trace's checkpoints.
std::string file_name(const Trace& trace, const std::string& trace_file) {
  std::string uuid;
  for (const auto byte : trace.sessions().front().uuid) uuid += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return fmt::format("{}-{:x}-{:x}-{:08x}{}", uuid, trace.size(), changed_ns(trace_file), checksum_of_end(trace),
                     kSuffix);
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

// A session from behind a moment on.
struct Stretch {
  Stretch(Trace& trace, std::size_t session, std::int64_t from, std::int64_t to)
      : events(trace.events(events_behind(trace.sessions()[session], from, to))), roles(trace, events, to) {
    roles.begin_session(session, Actors(trace.sessions()[session]));
    replay.emplace(roles);
  }
  const RoleEvent* next() {
    const RoleEvent* const event = roles.next();
    replayed += event != nullptr ? 1 : 0;
    return event;
  }
  // Follows the events up to a moment; the next one.
  const RoleEvent* next_behind(std::int64_t ns) {
    const RoleEvent* event = next();
    for (; event != nullptr && event->recorded_ns <= ns; event = next()) replay->follow(*event);
    return event;
  }

  Events events;
  RoleEvents roles;
  std::optional<Replay> replay;
  std::uint64_t replayed = 0;
};

bool ends_run(const TimelineItem& item) {
  return item.kind == ItemKind::kState && item.before == ThreadState::kRunning;
}

}  // namespace

struct StateHistory::Data {
  Data(Trace& of, HistoryOptions with)
      : trace(of), options(std::move(with)), cache(options.cache_folder, "checkpoints", kSuffix) {}

  void prepare();
  SessionState at(std::size_t session, std::int64_t ns);
  void doubt_runs(std::size_t session, TimeRange range, CpuTime* cpu);
  RunEnds run_ends(std::size_t session, std::int64_t ns);
  void each_checkpoint(std::size_t session, std::size_t most,
                       const std::function<void(std::int64_t, const SessionState&)>& f);

  Trace& trace;
  HistoryOptions options;
  CacheFolder cache;
  CheckpointFile file;
  std::string path;  // of the file that is open
  Status status;
  std::uint64_t replayed = 0;
  bool too_many_actors = false;

 private:
  std::unique_ptr<Stretch> from_before(std::size_t session, std::int64_t ns, std::int64_t to_ns);
  bool restore(const Checkpoint& checkpoint, Stretch* to) const;
  void find_or_make();
  void make(const std::string& at);

  bool prepared = false;
  bool made = false;
};

void StateHistory::Data::prepare() {
  if (prepared) return;
  prepared = true;
  // What a ring adds is not in the file, and may be more the next time.
  if (options.cache_folder.empty() || !trace.recovery().rings.empty()) return;
  if (rows_of(trace) < options.events_per_checkpoint || trace.sessions().empty()) return;
  find_or_make();
}

void StateHistory::Data::find_or_make() {
  status = options.makes_checkpoints ? cache.open() : cache.check();
  if (!status.ok()) return;
  const std::string at = cache.path() + "/" + file_name(trace, options.trace_file);
  if (file.open(at, trace)) {
    path = at;
    CacheFolder::note_use(at);
  } else if (options.makes_checkpoints) {
    make(at);
  }
}

void StateHistory::Data::make(const std::string& at) {
  made = true;
  CheckpointFileWriter writer;
  status = writer.open(at);
  if (!status.ok()) return;
  status = make_checkpoints(trace, options, writer, &too_many_actors);
  if (writer.is_complete() && file.open(at, trace)) path = at;
  cache.shrink(options.cache_bytes, at);
}

bool StateHistory::Data::restore(const Checkpoint& checkpoint, Stretch* to) const {
  std::optional<Archive> state = file.state(checkpoint);
  if (!state) return false;
  to->replay->archive(*state);
  return state->is_whole() && to->roles.actors().now() == checkpoint.ns;
}

// A session from the latest checkpoint on that is not after this time.
std::unique_ptr<Stretch> StateHistory::Data::from_before(std::size_t session, std::int64_t ns, std::int64_t to_ns) {
  prepare();
  while (true) {
    const std::span<const Checkpoint> all = file.of(session);
    const auto behind =
        std::partition_point(all.begin(), all.end(), [&](const Checkpoint& each) { return each.ns <= ns; });
    if (behind == all.begin()) return std::make_unique<Stretch>(trace, session, INT64_MIN, to_ns);
    auto stretch = std::make_unique<Stretch>(trace, session, (behind - 1)->ns, to_ns);
    if (restore(*(behind - 1), stretch.get())) return stretch;
    file.close();
    const bool removed = unlink(path.c_str()) == 0 || errno == ENOENT;
    path.clear();
    if (removed && !made) find_or_make();
  }
}

void StateHistory::Data::each_checkpoint(std::size_t session, std::size_t most,
                                         const std::function<void(std::int64_t, const SessionState&)>& f) {
  prepare();
  const std::span<const Checkpoint> all = file.of(session);
  const std::size_t count = std::min(most, all.size());
  for (std::size_t i = 1; i <= count; ++i) {
    const Checkpoint& checkpoint = all[i * all.size() / count - 1];
    Stretch stretch(trace, session, checkpoint.ns, checkpoint.ns);
    if (!restore(checkpoint, &stretch)) return;
    f(checkpoint.ns, stretch.replay->finish());
  }
}

SessionState StateHistory::Data::at(std::size_t session, std::int64_t ns) {
  const auto stretch = from_before(session, ns, ns);
  while (const RoleEvent* const event = stretch->next()) stretch->replay->take(*event);
  replayed += stretch->replayed;
  SessionState state = stretch->replay->finish();
  too_many_actors |= state.actors.has_others();
  return state;
}

// What is lost since before a range, and recorded in it, makes runs of the state before the range uncertain. A loss is
// since the event before on its stream: so it reaches back if it is the first that the stream has in the range.
void StateHistory::Data::doubt_runs(std::size_t session, TimeRange range, CpuTime* cpu) {
  const std::int64_t before = range.from_ns - 1;
  const auto stretch = from_before(session, before, range.to_ns);
  const RoleEvent* event = stretch->next_behind(before);
  std::map<std::uint32_t, std::uint32_t> open = stretch->replay->running();
  for (; event != nullptr && !open.empty(); event = stretch->next()) {
    for (const TimelineItem& item : stretch->replay->follow(*event)) {
      if (ends_run(item)) open.erase(item.thread);
      if (item.kind == ItemKind::kUncertain && item.began_ns <= before && open.contains(item.thread)) {
        CpuTime::Impl::of(*cpu).doubt(item.thread, item.began_ns);
      }
    }
    std::erase_if(open, [&](const auto& run) { return run.second == event->stream->id; });
  }
  replayed += stretch->replayed;
}

RunEnds StateHistory::Data::run_ends(std::size_t session, std::int64_t ns) {
  constexpr std::uint64_t kMaxAhead = 1 << 20;
  const Session& of = trace.sessions()[session];
  const auto stretch = from_before(session, ns, cut_of(of).to_ns);
  const RoleEvent* event = stretch->next_behind(ns);
  std::map<std::uint32_t, std::uint32_t> open = stretch->replay->running();
  RunEnds ends;
  const auto end = [&](std::uint32_t thread, std::int64_t at) {
    ends[run_key(stretch->roles.actors().threads()[thread])] = at;
  };
  for (std::uint64_t ahead = 0; event != nullptr && !open.empty() && ahead < kMaxAhead; ++ahead) {
    for (const TimelineItem& item : stretch->replay->follow(*event)) {
      if (ends_run(item) && open.erase(item.thread) > 0) end(item.thread, item.ns);
    }
    event = stretch->next();
  }
  if (event != nullptr || ends_with_cut(of)) return ends;
  for (const auto& [thread, stream] : open) end(thread, of.last_ns);
  return ends;
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

void StateHistory::each_checkpoint(std::size_t session, std::size_t most,
                                   const std::function<void(std::int64_t ns, const SessionState&)>& f) {
  data_->each_checkpoint(session, most, f);
}
bool StateHistory::has_too_many_actors() const { return data_->too_many_actors; }
const Status& StateHistory::status() const { return data_->status; }
const std::string& StateHistory::checkpoint_file() const { return data_->path; }
std::uint64_t StateHistory::events_replayed() const { return data_->replayed; }

}  // namespace evt
