#include "state_belief.h"

#include <algorithm>

#include "libtrace-read/analyze/src/parts.h"

namespace evt {
namespace {

bool are_in_order(const std::vector<StateCheckpoint>& checkpoints) {
  return std::adjacent_find(checkpoints.begin(), checkpoints.end(),
                            [](const auto& a, const auto& b) { return a.ns >= b.ns; }) == checkpoints.end();
}

// Actors of a session without parts are of none.
bool are_of_parts(const std::vector<Actor>& actors, const Session& session) {
  return std::all_of(actors.begin(), actors.end(), [&](const Actor& actor) {
    return actor.part == Actor::kNone || actor.part < session.parts.size();
  });
}

// Adds, unless the sum would be more than `most`.
bool add(std::uint64_t by, std::uint64_t most, std::uint64_t* sum) {
  if (*sum > most || by > most - *sum) return false;
  *sum += by;
  return true;
}

// Whether nothing ran for longer than `most` since `before`, which are the first of the cells.
bool times_fit(const Actors& actors, const std::vector<CpuTime::Cell>& before, const std::vector<CpuTime::Cell>& after,
               std::uint64_t most) {
  std::vector<std::uint64_t> of_threads(actors.threads().size());
  std::vector<std::uint64_t> of_cpus(actors.cpus().size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    const CpuTime::Cell& cell = after[i];
    const CpuTime::Cell was = i < before.size() ? before[i] : CpuTime::Cell{cell.thread, cell.cpu, 0, 0, 0};
    const bool grew = was.thread == cell.thread && was.cpu == cell.cpu && was.ns <= cell.ns &&
                      was.slices <= cell.slices && was.uncertain_ns <= cell.uncertain_ns;
    const std::uint64_t ns = cell.ns - was.ns;
    const bool fits = grew && cell.uncertain_ns - was.uncertain_ns <= ns && add(ns, most, &of_threads[cell.thread]) &&
                      add(ns, most, &of_cpus[cell.cpu]);
    if (!fits) return false;
  }
  return before.size() <= after.size();
}

bool slices_fit(const SessionState& state, std::uint64_t most) {
  for (std::uint32_t i = 0; i < state.actors.threads().size(); ++i) {
    if (state.cpu.current(i, state.actors.now()) > most) return false;
  }
  return true;
}

// By the session's index, if it tells.
std::uint64_t most_of(const EventType& type, const Session& session) {
  if (session.counts.empty() || type.number() >= EVT_ROW_WIDE) return session.rows;
  const auto found =
      std::lower_bound(session.counts.begin(), session.counts.end(), type.number(),
                       [](const TypeCount& count, std::uint32_t number) { return count.number < number; });
  return found != session.counts.end() && found->number == type.number() ? found->rows : 0;
}

bool counts_fit(const SessionState& state) {
  const Session& session = state.actors.session();
  std::uint64_t all = 0;
  std::uint64_t runs = 0;
  std::uint64_t undeclared = 0;
  for (const auto& [type, events] : state.counts.since({}, session)) {
    if (!add(events, session.rows, &all)) return false;
    if (type != nullptr && events > most_of(*type, session)) return false;
    if (type == nullptr) undeclared += events;
    if (type != nullptr && type->role() == Role::kThreadRun) runs += events;
  }
  std::uint64_t slices = 0;
  for (const CpuTime::Cell& cell : state.cpu.cells(state.actors.now())) {
    if (cell.slices == 0 || !add(cell.slices, session.rows, &slices)) return false;
  }
  return all == state.counts.all() && slices >= runs && slices <= runs + undeclared;
}

}  // namespace

bool is_of_trace(const StateDirectory& directory, const Trace& trace) {
  const auto& sessions = trace.sessions();
  return directory.trace_size == trace.size() && directory.sessions.size() == sessions.size() &&
         std::equal(sessions.begin(), sessions.end(), directory.sessions.begin(),
                    [](const Session& session, const StateDirectory::OfSession& said) {
                      return session.uuid == said.uuid && session.rows == said.rows &&
                             are_of_parts(said.threads, session) && are_of_parts(said.cpus, session) &&
                             are_in_order(said.checkpoints);
                    });
}

std::int64_t first_row_ns(const Session& session) {
  std::int64_t first = INT64_MAX;
  for (const StreamInfo& stream : session.streams) {
    if (stream.rows > 0) first = std::min(first, stream.first_ns);
  }
  return first;
}

bool can_have_been(const SessionState& state) {
  const std::int64_t first = first_row_ns(state.actors.session());
  const std::int64_t now = state.actors.now();
  if (first > now) return false;
  const std::uint64_t most = length(first, now);
  return times_fit(state.actors, {}, state.cpu.cells(now), most) && slices_fit(state, most) && counts_fit(state);
}

bool can_become(const SessionState& before, const SessionState& after, TimeRange range) {
  const Session& session = after.actors.session();
  // What was before has no types that are not there afterwards, and of none more events.
  const auto now = after.counts.since({}, session);
  auto at = now.begin();
  for (const EventCounts::Count& was : before.counts.since({}, session)) {
    at = std::find_if(at, now.end(), [&](const EventCounts::Count& count) { return count.type == was.type; });
    if (at == now.end() || at->events < was.events) return false;
  }
  return times_fit(after.actors, before.cpu.cells(range.from_ns), after.cpu.cells(range.to_ns),
                   length(range.from_ns, range.to_ns));
}

}  // namespace evt
