
#include <algorithm>
#include <utility>

#include "actors_impl.h"
#include "stop_reasons.h"

namespace evt {

Actors::Impl::Impl(const Session& session, std::uint32_t most)
    : session_(&session),
      first_stream_(session.streams.data()),
      threads_(most),
      cpus_(most),
      streams_(session.streams.size()) {
  std::size_t i = 0;
  for (const StreamInfo& stream : session.streams) {
    const auto part =
        std::ranges::find_if(session.parts, [&](const MergedPart& each) { return each.has_stream(stream.id); });
    if (part != session.parts.end()) streams_[i].part = static_cast<std::uint32_t>(part - session.parts.begin());
    if (stream.thread != 0) declared_.push_back(&stream);
    ++i;
  }
  std::ranges::stable_sort(declared_, {}, &StreamInfo::thread);
  if (session.parts.empty()) return;
  for (const EventType& type : session.types) {
    for (const Field& field : type.fields()) {
      has_scopes_ |= field.scope == Scope::kBoot || field.scope == Scope::kNetwork;
      threads_are_of_boot_ |= field.scope == Scope::kBoot && field.role == Role::kThread;
    }
  }
  for (i = 0; threads_are_of_boot_ && i < session.streams.size(); ++i) {
    const std::uint64_t thread = session.streams[i].thread;
    if (thread != 0 && shares_boot(streams_[i].part)) homes_[thread] = streams_[i].part;
  }
}

bool Actors::Impl::shares_boot(std::uint32_t part) const {
  if (part == 0 || part >= session_->parts.size()) return part == 0;
  const std::uint16_t alignment = session_->parts[part].alignment;
  return alignment == EVT_ALIGNED_SAME_CLOCK || alignment == EVT_ALIGNED_SAME_BOOT;
}

// One without a stream belongs to the first.
std::uint32_t Actors::Impl::part_of_thread(std::uint64_t number, std::uint32_t part) const {
  if (!shares_boot(part)) return part;
  const auto home = homes_.find(number);
  return home != homes_.end() ? home->second : 0;
}

std::uint32_t Actors::Impl::part_by_scope(const Event& event, Role role, std::uint32_t part) const {
  const Field* const field = event.type().field(role);
  if (field == nullptr) return part;
  if (field->scope == Scope::kNetwork) return Actor::kNone;
  if (field->scope != Scope::kBoot) return part;
  const bool is_thread = role == Role::kThread || role == Role::kWaker || role == Role::kHolder;
  if (!is_thread) return shares_boot(part) ? 0 : part;
  return part_of_thread(event.number(role).value_or(0), part);
}

std::uint32_t Actors::Impl::cpu_of(const StreamInfo& stream) {
  OfStream& s = of(stream);
  if (s.cpu == Actor::kNone) {
    s.cpu = cpus_.index(stream.id, s.part, true);
    if (s.cpu == Actor::kOthers) return std::exchange(s.cpu, Actor::kNone);
    cpus_[s.cpu].name = stream.name;
  }
  return s.cpu;
}

// A stream that declares which of the system's threads it is gets that number, by which others may name it.
std::uint32_t Actors::Impl::thread_of(const StreamInfo& stream) {
  OfStream& s = of(stream);
  if (s.running != Actor::kNone) return s.running;
  if (s.thread == Actor::kNone) {
    const bool has_number = stream.thread != 0 && s.has_threads != RunsOn::kOthers;
    const std::uint32_t part = has_number && threads_are_of_boot_ ? part_of_thread(stream.thread, s.part) : s.part;
    s.thread = threads_.index(has_number ? stream.thread : stream.id, part, !has_number);
    if (s.thread == Actor::kOthers) return std::exchange(s.thread, Actor::kNone);
    if (threads_[s.thread].name.empty()) threads_[s.thread].name = stream.name;
  }
  return s.thread;
}

// Adds the actor of an event that may be unknown so far.
std::uint32_t Actors::Impl::add(const Event& event, Role role, ActorTable* table, std::uint64_t number,
                                std::uint32_t part) {
  const std::uint64_t before = table->added();
  const bool begins = found_.role == Role::kThreadCreate && role == Role::kThread;
  const std::uint32_t had_it =
      begins && table->has(number, part, false) ? table->index(number, part, false) : Actor::kNone;
  const std::uint32_t index = begins ? table->index_of_new(number, part) : table->index(number, part, false);
  const bool has_successor = had_it != index && had_it != Actor::kNone;
  if (had_it != index) succeeded_ = had_it;
  if (table->added() == before) return index;
  if (event.type().field(role)->kind == Kind::kInterned) {
    const std::string* const text = session_->text({static_cast<std::uint32_t>(number)});
    if (text != nullptr) (*table)[index].name = *text;
  } else if (table == &threads_ && !has_successor) {
    name_by_stream(index);
  }
  return index;
}

// One that has a stream gets its name, whichever event is about it first: unless others have run there, or several
// streams declare the number.
void Actors::Impl::name_by_stream(std::uint32_t thread) {
  const Actor& actor = threads_[thread];
  const StreamInfo* its_own = nullptr;
  auto place = std::ranges::lower_bound(declared_, actor.number, {}, &StreamInfo::thread);
  for (; place != declared_.end() && (*place)->thread == actor.number; ++place) {
    const OfStream& s = of(**place);
    const std::uint32_t part = threads_are_of_boot_ ? part_of_thread(actor.number, s.part) : s.part;
    if (part != actor.part || s.has_threads == RunsOn::kOthers) continue;
    if (its_own != nullptr) return;
    its_own = *place;
  }
  if (its_own != nullptr) threads_[thread].name = its_own->name;
}

std::uint32_t Actors::Impl::thread_of_number(std::uint64_t number, std::uint32_t part) {
  const std::uint64_t before = threads_.added();
  const std::uint32_t index = threads_.index(number, part, false);
  if (threads_.added() != before) name_by_stream(index);
  return index;
}

std::uint32_t Actors::Impl::thread(std::uint64_t number, std::uint32_t part, bool is_stream) {
  if (!is_stream) return thread_of_number(number, part);
  const std::uint32_t index = threads_.index(number, part, true);
  if (index == Actor::kOthers || !threads_[index].name.empty()) return index;
  const StreamInfo* const stream = session_->stream(static_cast<std::uint32_t>(number));
  if (stream != nullptr) threads_[index].name = stream->name;
  return index;
}

void Actors::Impl::set_idle(std::uint32_t thread) {
  threads_[thread].is_idle = true;
  if (threads_[thread].name.empty()) threads_[thread].name = kIdleName;
}

void Actors::Impl::forget_idle(std::uint32_t thread) {
  threads_[thread].is_idle = false;
  if (threads_[thread].name == kIdleName) threads_[thread].name.clear();
}

std::uint32_t Actors::Impl::other_thread(const Event& event, Role role) {
  const std::optional<std::uint64_t> number = event.number(role);
  return number && *number != 0 ? thread_of_number(*number, part_of_ids(event, role)) : Actor::kNone;
}

// True if its thread is a new one.
bool Actors::Impl::needs_room(const Event& event) {
  if (event.type().role() == Role::kNone) return false;
  OfStream& s = of(event.stream());
  std::uint64_t number = 0;
  if (event.get_number(Role::kThread, &number))
    return !threads_.has(number, part_of_ids(event, Role::kThread, s.part), false);
  return s.running == Actor::kNone && s.thread == Actor::kNone;
}

// A stream whose thread is folded may name it again, or another thread with its number.
const RoleEvent& Actors::Impl::fold(const Event& event) {
  std::vector<bool> runs(threads_.size());
  for (const OfStream& s : streams_) {
    if (s.running < runs.size()) runs[s.running] = true;
  }
  folded_ = threads_.fold(runs);
  for (OfStream& s : streams_) {
    if (folded_.is_gone(s.thread)) s.thread = Actor::kNone;
  }
  found_ = RoleEvent();
  found_.fold = &folded_;
  found_.stream = &event.stream();
  found_.ns = found_.recorded_ns = found_.previous_ns = now_;
  return found_;
}

// A duration of 0 states nothing: the time of damage is often unknown.
void Actors::Impl::begin_loss(const Event& event) {
  const auto duration = event.value("duration");
  const std::int64_t ns = duration ? event.delta_to_ns(duration->as_signed()) : 0;
  const auto most = static_cast<std::uint64_t>(found_.ns) - static_cast<std::uint64_t>(found_.previous_ns);
  if (ns > 0 && static_cast<std::uint64_t>(ns) < most) found_.previous_ns = found_.ns - ns;
}

void Actors::Impl::learn_stops(const EventType& type) {
  stop_type_ = &type;
  ending_number_ = StopReasons::ending_number(type);
}

bool Actors::Impl::ends_by_text(const Event& stop) const {
  const Field* const field = stop_type_->field(Role::kReason);
  return field != nullptr && field->kind == Kind::kInterned && StopReasons::ends_thread(stop);
}

// For an event about what a thread does, which may name it.
void Actors::Impl::take_name(const Event& event) {
  if (found_.thread == Actor::kOthers) return;
  const auto name = event.value(Role::kName);
  if (name && name->kind() == Kind::kText && !name->is_sequence()) threads_[found_.thread].name = name->as_text();
}

// Effects of a thread's events other than running and stopping.
void Actors::Impl::change_life(const Event& event) {
  switch (found_.role) {
    case Role::kThreadCreate:
      threads_.revive(found_.thread);
      if (found_.thread < Actor::kOthers) threads_[found_.thread].created_ns = found_.ns;
      break;
    case Role::kThreadExit:
      return threads_.end(found_.thread);
    case Role::kThreadRunnable:
    case Role::kThreadWake:
    case Role::kThreadName:
      return take_name(event);
    default:
      break;
  }
}

const RoleEvent& Actors::Impl::understand(const Event& event, bool is_facet) {
  return understand_as(event.type().role(), event, is_facet);
}

const RoleEvent& Actors::Impl::understand(const MissingRows& missing) {
  const StreamInfo& stream = *session_->stream(missing.stream);
  begin(stream, missing.to_ns, &of(stream));
  found_.previous_ns = std::min(found_.previous_ns, missing.from_ns);
  found_.lost = true;
  return found_;
}

void Actors::Impl::archive(Archive& archive) {
  archive.numbers(now_, streams_are_cpus_);
  threads_.archive(archive, session_->parts.size());
  cpus_.archive(archive, session_->parts.size());
  archive.list(streams_, session_->streams.size(), [&](OfStream& s) {
    archive.index(s.part, session_->parts.size());
    archive.index(s.thread, threads_.size());
    archive.index(s.cpu, cpus_.size());
    archive.index(s.running, threads_.size());
    archive.numbers(s.has_threads, s.is_cpu, s.last_ns);
  });
  archive.require(streams_.size() == session_->streams.size());
}

Actors::Actors(const Session& session, std::uint32_t most) : impl_(std::make_unique<Impl>(session, most)) {}

const Session& Actors::session() const { return impl_->session(); }
ActorList Actors::threads() const { return ActorList(impl_->threads()); }
ActorList Actors::cpus() const { return ActorList(impl_->cpus()); }
std::int64_t Actors::now() const { return impl_->now(); }
const RoleEvent& Actors::understand(const Event& event) { return impl_->understand(event); }
bool Actors::must_fold(const Event& event) { return impl_->must_fold(event); }
const RoleEvent& Actors::fold(const Event& event) { return impl_->fold(event); }
const RoleEvent& Actors::understand(const MissingRows& missing) { return impl_->understand(missing); }
std::uint32_t Actors::cpu_of(const StreamInfo& stream) { return impl_->cpu_of(stream); }
std::uint32_t Actors::thread_of(const StreamInfo& stream) { return impl_->thread_of(stream); }
std::uint32_t Actors::running_on(const StreamInfo& stream) { return impl_->running_on(stream); }
std::uint32_t Actors::part_of(const StreamInfo& stream) { return impl_->part_of(stream); }
std::uint32_t Actors::part_of_ids(const Event& event, Role role) { return impl_->part_of_ids(event, role); }
std::uint32_t Actors::other_thread(const Event& event, Role role) { return impl_->other_thread(event, role); }

}  // namespace evt
