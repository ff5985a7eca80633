// The data of Actors.
#pragma once

#include <evt/analysis/actors.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "actor_table.h"
#include "archive.h"
#include "libtrace-read/core/src/session/event_time.h"

namespace evt {

class Actors::Impl {
 public:
  static Impl& of(Actors& actors) { return *actors.impl_; }
  static const Impl& of(const Actors& actors) { return *actors.impl_; }

  Impl(const Session& session, std::uint32_t most);

  const Session& session() const { return *session_; }
  const ActorTable& threads() const { return threads_; }
  const ActorTable& cpus() const { return cpus_; }
  bool has_others() const { return threads_.has_others() || cpus_.has_others(); }
  std::int64_t now() const { return now_; }
  const RoleEvent& understand(const Event& event, bool is_facet = false);
  // Like understand(), where the compiler knows the event's role.
  const RoleEvent& understand_as(Role role, const Event& event, bool is_facet = false);
  bool must_fold(const Event& event) { return threads_.can_fold() && needs_room(event); }
  const RoleEvent& fold(const Event& event);
  const RoleEvent& understand(const MissingRows& missing);
  std::uint32_t cpu_of(const StreamInfo& stream);
  std::uint32_t thread_of(const StreamInfo& stream);
  // For the latest event: the thread that had the number before, which the event gave to a new one; kNone for none.
  std::uint32_t succeeded() const { return succeeded_; }
  std::uint32_t running_on(const StreamInfo& stream) { return of(stream).running; }
  std::uint32_t part_of(const StreamInfo& stream) { return of(stream).part; }
  // Parts that are known to share the first one's boot share its ids.
  bool shares_boot(std::uint32_t part) const;
  // The one with this number, in this part; or of a stream with this id.
  std::uint32_t thread(std::uint64_t number, std::uint32_t part, bool is_stream);
  void set_idle(std::uint32_t thread);
  void forget_idle(std::uint32_t thread);
  std::uint32_t other_thread(const Event& event, Role role);
  std::uint32_t part_of_ids(const Event& event, Role role) { return part_of_ids(event, role, of(event.stream()).part); }

  // REQUIRES: !has_others().
  void archive(Archive& archive);

 private:
  static constexpr const char* kIdleName = "(idle)";

  enum class RunsOn : std::uint8_t {
    kNone,
    kOthers,
    kItself,  // the thread that the stream declares to be
  };
  struct OfStream {
    std::uint32_t part = Actor::kNone;
    std::uint32_t thread = Actor::kNone;   // that it is
    std::uint32_t cpu = Actor::kNone;      // that it is
    std::uint32_t running = Actor::kNone;  // the thread that runs on it
    RunsOn has_threads = RunsOn::kNone;    // threads run on it
    bool is_cpu = false;                   // but their runs name no cpu
    std::int64_t last_ns = INT64_MIN;
  };
  // The number of an event in a role, if it has one.
  struct Named {
    Named() = default;
    Named(const Event& event, Role role) : is_there(event.get_number(role, &number)) {}
    std::uint64_t number = 0;
    bool is_there = false;
  };

  OfStream& of(const StreamInfo& stream) { return streams_[static_cast<std::size_t>(&stream - first_stream_)]; }
  std::uint32_t named(const Named& by, const Event& event, Role role, ActorTable* table, std::uint32_t part);
  std::uint32_t add(const Event& event, Role role, ActorTable* table, std::uint64_t number, std::uint32_t part);
  std::uint32_t part_of_ids(const Event& event, Role role, std::uint32_t part) const {
    return has_scopes_ ? part_by_scope(event, role, part) : part;
  }
  std::uint32_t thread_of_number(std::uint64_t number, std::uint32_t part);
  void name_by_stream(std::uint32_t thread);
  std::uint32_t part_by_scope(const Event& event, Role role, std::uint32_t part) const;
  // The part of a thread of the system, by its number.
  std::uint32_t part_of_thread(std::uint64_t number, std::uint32_t part) const;
  bool needs_room(const Event& event);
  void take_name(const Event& event);
  void begin_loss(const Event& event);
  void learn_stops(const EventType& type);
  bool ends_thread(const Event& stop, const EventType& type);
  bool ends_by_text(const Event& stop) const;
  void begin(const StreamInfo& stream, std::int64_t ns, OfStream* of_stream);
  void run(const Event& event, OfStream* stream);
  void stop(const Event& event, OfStream* stream);
  void change_life(const Event& event);

  const Session* session_;
  const StreamInfo* first_stream_;
  ActorTable threads_;
  ActorTable cpus_;
  std::vector<OfStream> streams_;
  std::vector<const StreamInfo*> declared_;  // those that declare which thread they are, in the order of its numbers
  bool streams_are_cpus_ = false;            // some are
  bool has_scopes_ = false;  // in a merged session: some field states that its ids are the same in several parts
  bool threads_are_of_boot_ = false;  // in it, thread numbers are those of the system
  // If so: the part of a thread, by its number: the part that has its stream, whichever parts name it.
  std::unordered_map<std::uint64_t, std::uint32_t> homes_;
  std::int64_t now_ = INT64_MIN;
  const EventType* stop_type_ = nullptr;        // the latest stop's
  std::optional<std::uint64_t> ending_number_;  // for stop_type_
  std::uint32_t succeeded_ = Actor::kNone;
  FoldedActors folded_;
  RoleEvent found_;
};

// Code that nearly all events need is inline, so that it is compiled for each role.

[[gnu::always_inline]] inline void Actors::Impl::begin(const StreamInfo& stream, std::int64_t ns, OfStream* of_stream) {
  now_ = std::max(now_, ns);
  succeeded_ = Actor::kNone;
  found_ = RoleEvent();
  found_.stream = &stream;
  found_.ns = now_;
  found_.recorded_ns = ns;
  found_.previous_ns = of_stream->last_ns != INT64_MIN ? of_stream->last_ns : std::min<std::int64_t>(0, now_);
  of_stream->last_ns = now_;
}

[[gnu::always_inline]] inline std::uint32_t Actors::Impl::named(const Named& by, const Event& event, Role role,
                                                                ActorTable* table, std::uint32_t part) {
  if (!by.is_there) return Actor::kNone;
  const std::uint32_t of_part = part_of_ids(event, role, part);
  const bool may_be_new = role == Role::kThread && found_.role == Role::kThreadCreate;
  const std::uint32_t known = may_be_new ? Actor::kNone : table->known(by.number, of_part, false);
  return known != Actor::kNone ? known : add(event, role, table, by.number, of_part);
}

[[gnu::always_inline]] inline void Actors::Impl::run(const Event& event, OfStream* stream) {
  const std::uint32_t thread = found_.thread;
  threads_.revive(thread);
  stream->running = thread;
  const std::uint64_t own = found_.stream->thread;
  const bool is_own =
      own != 0 && thread != Actor::kOthers && !threads_[thread].is_stream && threads_[thread].number == own;
  stream->has_threads = is_own ? RunsOn::kItself : RunsOn::kOthers;
  if (is_own && threads_[thread].name.empty()) [[unlikely]]
    threads_[thread].name = found_.stream->name;
  stream->is_cpu = found_.cpu == Actor::kNone;
  streams_are_cpus_ |= stream->is_cpu;
  if (stream->is_cpu) found_.cpu = cpu_of(event.stream());
}

// Usually all stops have one type.
[[gnu::always_inline]] inline bool Actors::Impl::ends_thread(const Event& stop, const EventType& type) {
  if (&type != stop_type_) [[unlikely]]
    learn_stops(type);
  std::uint64_t number = 0;
  if (!ending_number_) return ends_by_text(stop);
  return stop.get_number(Role::kReason, &number) && number == *ending_number_;
}

[[gnu::always_inline]] inline void Actors::Impl::stop(const Event& event, OfStream* stream) {
  const bool is_cpu = stream->has_threads != RunsOn::kNone ? stream->is_cpu : streams_are_cpus_;
  if (is_cpu && found_.cpu == Actor::kNone) found_.cpu = cpu_of(event.stream());
  if (stream->running == found_.thread) stream->running = Actor::kNone;
}

[[gnu::always_inline]] inline const RoleEvent& Actors::Impl::understand_as(Role role, const Event& event,
                                                                           bool is_facet) {
  const StreamInfo& stream = event.stream();
  OfStream& s = of(stream);
  const bool has_cpu = role == Role::kThreadRun || role == Role::kThreadStop;
  // Reads all of the event before writing anything, because the compiler must assume that writes alias the event.
  const Named thread = role != Role::kNone ? Named(event, Role::kThread) : Named();
  const Named cpu = has_cpu ? Named(event, Role::kCpu) : Named();
  const bool ends = role == Role::kThreadStop && ends_thread(event, event.type());
  begin(stream, EventTime::ns_of(event), &s);
  found_.is_facet = is_facet;
  found_.event = &event;
  found_.role = role;
  if (role == Role::kNone) {
    found_.lost = event.is_lost();
    found_.jump = event.is_jump();
    if (found_.lost) [[unlikely]]
      begin_loss(event);
    return found_;
  }
  found_.thread = named(thread, event, Role::kThread, &threads_, s.part);
  if (found_.thread == Actor::kNone) found_.thread = thread_of(stream);
  if (has_cpu) found_.cpu = named(cpu, event, Role::kCpu, &cpus_, s.part);
  if (ends) threads_.end(found_.thread);
  if (role == Role::kThreadRun) {
    run(event, &s);
  } else if (role == Role::kThreadStop) {
    stop(event, &s);
  } else if ((role >= Role::kThreadCreate && role <= Role::kThreadExit) || role == Role::kThreadName) {
    change_life(event);
  }
  return found_;
}

}  // namespace evt
