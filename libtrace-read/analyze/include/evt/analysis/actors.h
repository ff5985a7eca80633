// Who does what in a session: its threads and cpus, numbered from 0 on in the order in which its events name them.
#pragma once

#include <evt/analysis/actor_list.h>
#include <evt/opaque.h>
#include <evt/trace.h>

#include <memory>

#pragma GCC visibility push(default)
namespace evt {

// An event with what it means.
struct RoleEvent {
  const Event* event = nullptr;  // null: rows of `stream` are missing here, or it is a fold
  // It is no event: these threads are folded before the next one. Each analysis takes it as it takes events.
  const FoldedActors* fold = nullptr;
  const StreamInfo* stream = nullptr;
  Role role = Role::kNone;
  bool is_facet = false;  // what an event means beside what it was handed out as before: no event more
  bool lost = false;      // events of this stream were lost, or are missing, between `previous_ns` and `ns`
  bool jump = false;      // its time steps back by intent
  // Since the session's start, never before that of the event before: streams may differ within the tolerance of their
  // clock.
  std::int64_t ns = 0;
  std::int64_t recorded_ns = 0;
  // Of the stream's event before, or the session's start; of events that were lost when the first of them may have
  // been, if they state a duration and it is later.
  std::int64_t previous_ns = 0;
  // Who: the event's field of this role. An event that has none is of the thread that runs on its stream, if threads
  // run on streams, or else of the stream's own. Of events without a role: kNone. Of a thread that is not followed:
  // kOthers, of which what goes on cannot be known.
  std::uint32_t thread = Actor::kNone;
  // Where, of events that say where a thread runs: the field of this role, or the stream itself.
  std::uint32_t cpu = Actor::kNone;
};

// Finds out who an event is about. For one session, which must outlive it.
class Actors {
 public:
  // `most`: threads, and cpus, that are followed at a time.
  explicit Actors(const Session& session, std::uint32_t most = Actor::kOthers);

  const Session& session() const;
  ActorList threads() const;
  ActorList cpus() const;
  // There were more than are followed.
  bool has_others() const { return threads().has_others() || cpus().has_others(); }
  std::int64_t now() const;  // of the latest event; INT64_MIN before the first

  // What an event means; events come in order. The result is valid until the next call.
  const RoleEvent& understand(const Event& event);
  // Before that: there is no room for the event's thread, and there is once others are folded: analyses take that
  // first.
  bool must_fold(const Event& event);
  const RoleEvent& fold(const Event& event);
  // The same of rows that are missing.
  const RoleEvent& understand(const MissingRows& missing);

  // The cpu that a stream is.
  std::uint32_t cpu_of(const StreamInfo& stream);
  // The thread that a stream is, or that runs on it now.
  std::uint32_t thread_of(const StreamInfo& stream);
  // The thread that runs on a stream; kNone if none does, or threads do not run on streams.
  std::uint32_t running_on(const StreamInfo& stream);
  // Of a merged session, which of its parts a stream is of; kNone of others.
  std::uint32_t part_of(const StreamInfo& stream);
  // Of a merged session, within which of its parts equal ids of this role are the same, by the scope of the event's
  // field (FORMAT.md, section 8.2); kNone: within all of them. A field that states none: within its own part.
  std::uint32_t part_of_ids(const Event& event, Role role);
  // The thread that an event has in another role, such as who woke it; kNone for none, and for number 0.
  std::uint32_t other_thread(const Event& event, Role role);

  class Impl;

 private:
  Opaque<Impl> impl_;
};

// Events -> role events, session by session. What was carried into a cut (FORMAT.md, section 6.1) comes first, as it
// was recorded. Refers to the trace and its events; one thread at a time.
//
//   RoleEvents roles(trace, events);
//   while (roles.next_session()) {
//     CpuTime cpu(roles.actors());
//     while (const RoleEvent* e = roles.next()) cpu.take(*e);
//   }
class RoleEvents {
 public:
  // `events` with markers, or losses are not met.
  RoleEvents(Trace& trace, Events& events);

  // Goes on to the next session of the trace, which may have no events.
  bool next_session();
  // Begins with a session of the trace, from a state of it; `events` are those behind it.
  void begin_session(std::size_t number, Actors from);
  // The next event of the session, null at its end. Holds until the next call.
  const RoleEvent* next();
  // When that will be, as recorded; INT64_MAX at the end of the session.
  std::int64_t coming_ns();
  Actors& actors();
  // What went wrong with the events so far, as Events::status() has it.
  const Status& status() const;

  class Impl;

 private:
  Hidden<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
