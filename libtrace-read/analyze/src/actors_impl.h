// What Actors hold.
#pragma once

#include <evt/analysis/actors.h>

#include <optional>
#include <unordered_map>
#include <vector>

#include "actor_table.h"

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
  bool must_fold(const Event& event) { return threads_.can_fold() && needs_room(event); }
  const RoleEvent& fold(const Event& event);
  const RoleEvent& understand(const MissingRows& missing);
  std::uint32_t cpu_of(const StreamInfo& stream);
  std::uint32_t thread_of(const StreamInfo& stream);
  // Of the latest event: the thread that had the number before which it gave to a new one; kNone for none.
  std::uint32_t succeeded() const { return succeeded_; }
  std::uint32_t running_on(const StreamInfo& stream) { return of(stream).running; }
  std::uint32_t part_of(const StreamInfo& stream) { return of(stream).part; }
  // Parts that are known to be of the first one's boot have its ids in common.
  bool shares_boot(std::uint32_t part) const;
  // The one with this number, of this part; or of a stream with this id.
  std::uint32_t thread(std::uint64_t number, std::uint32_t part, bool is_stream);
  void set_idle(std::uint32_t thread);
  std::uint32_t other_thread(const Event& event, Role role);
  std::uint32_t part_of_ids(const Event& event, Role role) { return part_of_ids(event, role, of(event.stream()).part); }

 private:
  friend class CheckpointWords;

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
    bool is_cpu = false;                   // and their runs name no cpu
    std::int64_t last_ns = INT64_MIN;
  };

  OfStream& of(const StreamInfo& stream) { return streams_[static_cast<std::size_t>(&stream - first_stream_)]; }
  std::uint32_t named(const Event& event, Role role, ActorTable* table, std::uint32_t part);
  std::uint32_t add(const Event& event, Role role, ActorTable* table, std::uint64_t number, std::uint32_t part);
  std::uint32_t part_of_ids(const Event& event, Role role, std::uint32_t part) const {
    return has_scopes_ ? part_by_scope(event, role, part) : part;
  }
  std::uint32_t part_by_scope(const Event& event, Role role, std::uint32_t part) const;
  // Of a thread of the system, by its number.
  std::uint32_t part_of_thread(std::uint64_t number, std::uint32_t part) const;
  bool needs_room(const Event& event);
  void take_name(const Event& event);
  void learn_stops(const EventType& type);
  bool ends_thread(const Event& stop);
  void begin(const StreamInfo& stream, std::int64_t ns);
  void find_cpu(const Event& event, OfStream* stream);

  const Session* session_;
  const StreamInfo* first_stream_;
  ActorTable threads_;
  ActorTable cpus_;
  std::vector<OfStream> streams_;
  bool streams_are_cpus_ = false;  // some are
  bool has_scopes_ = false;        // of a merged session: some field states that its ids are the same in several parts
  bool threads_are_of_boot_ = false;  // in it, numbers of threads are those of the system
  // Then: of which part a thread is, by its number: of that whose stream it is, whichever parts name it.
  std::unordered_map<std::uint64_t, std::uint32_t> homes_;
  std::int64_t now_ = INT64_MIN;
  const EventType* stop_type_ = nullptr;        // of the latest stop
  std::optional<std::uint64_t> ending_number_;  // of it
  std::uint32_t succeeded_ = Actor::kNone;
  FoldedActors folded_;
  RoleEvent found_;
};

}  // namespace evt
