// Who does what in a session: its threads and cpus, numbered from 0 on in the order in which its events name them.
#pragma once

#include <evt/analysis/actor_list.h>
#include <evt/opaque.h>
#include <evt/trace.h>

#include <memory>

#pragma GCC visibility push(default)
namespace evt {

// An event with its meaning.
struct RoleEvent {
  const Event* event = nullptr;  // null: rows of `stream` are missing here, or it is a fold
  // Not an event: these threads are folded before the next one. Each analysis takes it as it takes events.
  const FoldedActors* fold = nullptr;
  const StreamInfo* stream = nullptr;
  Role role = Role::kNone;
  bool is_facet = false;  // another meaning of an event that was returned before: not a new event
  bool lost = false;      // events of this stream were lost, or are missing, between `previous_ns` and `ns`
  bool jump = false;      // its time intentionally steps back
  // Since the session's start, never before that of the previous event: streams may differ within the tolerance of
  // their clock.
  std::int64_t ns = 0;
  std::int64_t recorded_ns = 0;
  // Time of the stream's previous event, or the session's start; for lost events the earliest possible time of the
  // first of them, if they state a duration and it is later.
  std::int64_t previous_ns = 0;
  // The event's field of this role. Without one, the thread that runs on its stream, if threads run on streams, or else
  // the stream's own. For events without a role: kNone. For a thread that is not followed: kOthers, whose state cannot
  // be known.
  std::uint32_t thread = Actor::kNone;
  // For events that say where a thread runs: the field of this role, or the stream itself.
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
  // There were more than can be followed.
  bool has_others() const { return threads().has_others() || cpus().has_others(); }
  std::int64_t now() const;  // time of the latest event; INT64_MIN before the first

  // Returns the meaning of an event; events come in order. The result is valid until the next call.
  const RoleEvent& understand(const Event& event);
  // Called before that: true if there is no room for the event's thread until others are folded. Analyses take the fold
  // first.
  bool must_fold(const Event& event);
  const RoleEvent& fold(const Event& event);
  // As above, for missing rows.
  const RoleEvent& understand(const MissingRows& missing);

  // The cpu that the stream represents.
  std::uint32_t cpu_of(const StreamInfo& stream);
  // The thread that the stream represents, or that runs on it now.
  std::uint32_t thread_of(const StreamInfo& stream);
  // The thread that runs on a stream; kNone if none does, or threads do not run on streams.
  std::uint32_t running_on(const StreamInfo& stream);
  // In a merged session, the part that a stream belongs to; kNone in others.
  std::uint32_t part_of(const StreamInfo& stream);
  // In a merged session, the part within which equal ids of this role mean the same thing, from the scope of the
  // event's field (FORMAT.md, section 8.2); kNone: all parts. If the field does not state it: its own part.
  std::uint32_t part_of_ids(const Event& event, Role role);
  // The thread that an event names in another role, such as who woke it; kNone for none, and for number 0.
  std::uint32_t other_thread(const Event& event, Role role);

  class Impl;

 private:
  Opaque<Impl> impl_;
};

// Events -> role events, session by session. Events that were carried into a cut (FORMAT.md, section 6.1) come first,
// as recorded. Refers to the trace and its events; one thread at a time.
//
//   RoleEvents roles(trace, events);
//   while (roles.next_session()) {
//     CpuTime cpu(roles.actors());
//     while (const RoleEvent* e = roles.next()) cpu.take(*e);
//   }
class RoleEvents {
 public:
  // `events` must have markers, otherwise losses are not seen.
  RoleEvents(Trace& trace, Events& events);

  // Moves to the next session of the trace, which may have no events.
  bool next_session();
  // Begins with a session of the trace, from a state of it; `events` are those after that state.
  void begin_session(std::size_t number, Actors from);
  // The next event of the session, null at its end. Valid until the next call.
  const RoleEvent* next();
  // Recorded time of the next event; INT64_MAX at the end of the session.
  std::int64_t coming_ns();
  Actors& actors();
  // The first error of the events so far, see Events::status().
  const Status& status() const;

  class Impl;

 private:
  Hidden<Impl> impl_;
};

}  // namespace evt
#pragma GCC visibility pop
