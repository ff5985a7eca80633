#include "system_numbers.h"

#include <algorithm>
#include <charconv>

namespace evt {
namespace {

// Numbers that the system never assigns: Linux has at most 2^22 threads (PID_MAX_LIMIT).
constexpr std::int64_t kOwnThreads = 1 << 23;
constexpr std::int64_t kOwnProcesses = 1 << 24;
constexpr std::int64_t kMostCpus = 1 << 12;

std::int64_t number_in(const std::string* text) {
  std::int64_t number = 0;
  if (text != nullptr) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

// All programs that name threads of this scope use the kernel's numbers.
bool has_threads_of_boot(const Session& session) {
  const auto names_one = [](const Field& field) { return field.role == Role::kThread && field.scope == Scope::kBoot; };
  return std::ranges::any_of(session.types,
                             [&](const EventType& type) { return std::ranges::any_of(type.fields(), names_one); });
}

// The wanted number, if it is valid and free; else the next free one.
std::int64_t free_number(std::set<std::int64_t>* used, std::int64_t wanted, std::int64_t from) {
  if (wanted > 0 && wanted < from && used->insert(wanted).second) return wanted;
  const std::int64_t next = used->empty() ? from : std::max(from, *used->rbegin() + 1);
  used->insert(next);
  return next;
}

}  // namespace

void SystemNumbers::begin_session(Timeline& timeline) {
  timeline_ = &timeline;
  process_of_.clear();
  thread_of_.clear();
  others_.reset();
  cpu_of_.clear();
  system_threads_.clear();
  part_of_thread_.clear();
  Actors& actors = timeline.actors();
  threads_are_of_boot_ = has_threads_of_boot(actors.session());
  for (const StreamInfo& stream : actors.session().streams) {
    if (stream.thread == 0) continue;
    system_threads_.insert({actors.part_of(stream), stream.thread});
    part_of_thread_.try_emplace(stream.thread, actors.part_of(stream));
  }
}

std::int64_t SystemNumbers::process(std::uint32_t part) {
  const auto known = process_of_.find(part);
  if (known != process_of_.end()) return known->second;
  const Session& session = timeline_->actors().session();
  const auto pid = part < session.parts.size() ? number_in(session.fact(EVT_FACT_SCOPE_PART, part, EVT_FACT_PART_PID))
                                               : static_cast<std::int64_t>(session.pid);
  const std::int64_t process = free_number(&processes_, pid, kOwnProcesses);
  process_names_[process] = part_name(session, part);
  return process_of_[part] = process;
}

std::int64_t SystemNumbers::own_process(std::string_view name) {
  const auto known = own_processes_.find(name);
  if (known != own_processes_.end()) return known->second;
  const std::int64_t process = free_number(&processes_, 0, kOwnProcesses);
  process_names_[process] = name;
  return own_processes_[std::string(name)] = process;
}

// A thread that is the same for all parts belongs to the part that has its stream.
std::uint32_t SystemNumbers::part_of(const Actor& actor) const {
  const auto known = part_of_thread_.find(actor.number);
  return actor.part != Actor::kNone || actor.is_stream || known == part_of_thread_.end() ? actor.part : known->second;
}

// The system's id of the thread; 0 if the trace does not have it.
std::int64_t SystemNumbers::system_number(const Actor& actor) const {
  if (!actor.is_stream) {
    const bool is_known = threads_are_of_boot_ || system_threads_.contains({part_of(actor), actor.number});
    return is_known ? static_cast<std::int64_t>(actor.number) : 0;
  }
  const StreamInfo* const stream = timeline_->actors().session().stream(static_cast<std::uint32_t>(actor.number));
  return stream != nullptr ? static_cast<std::int64_t>(stream->thread) : 0;
}

PictureTrack SystemNumbers::thread(std::uint32_t thread, bool* is_new) {
  *is_new = false;
  if (thread < thread_of_.size() && thread_of_[thread]) return *thread_of_[thread];
  if (thread >= Actor::kOthers) {
    *is_new = !others_;
    if (!others_) others_ = {process(Actor::kNone), free_number(&threads_, 0, kOwnThreads)};
    return *others_;
  }
  if (thread >= thread_of_.size()) thread_of_.resize(thread + std::size_t{1});
  const Actor& actor = timeline_->actors().threads()[thread];
  *is_new = true;
  // What a kernel's cpus run when they have nothing to do has number 0 on each of them.
  const bool is_idle = threads_are_of_boot_ && !actor.is_stream && actor.number == 0;
  const std::int64_t number = is_idle ? 0 : free_number(&threads_, system_number(actor), kOwnThreads);
  thread_of_[thread] = {process(part_of(actor)), number};
  return *thread_of_[thread];
}

std::string SystemNumbers::thread_name(std::uint32_t thread) const {
  return thread < Actor::kOthers ? timeline_->actors().threads()[thread].name_or_number("thread") : "(others)";
}

std::int64_t SystemNumbers::cpu(std::uint32_t cpu) {
  const auto known = cpu_of_.find(cpu);
  if (known != cpu_of_.end()) return known->second;
  // The first one is number 0.
  const auto wanted =
      cpu < Actor::kOthers ? static_cast<std::int64_t>(timeline_->actors().cpus()[cpu].number) + 1 : std::int64_t{0};
  return cpu_of_[cpu] = free_number(&cpus_, wanted, kMostCpus) - 1;
}

std::vector<SystemNumbers::NamedTrack> SystemNumbers::threads() const {
  std::vector<NamedTrack> all;
  for (std::uint32_t i = 0; i < thread_of_.size(); ++i) {
    if (thread_of_[i]) all.push_back({*thread_of_[i], thread_name(i)});
  }
  if (others_) all.push_back({*others_, thread_name(Actor::kOthers)});
  return all;
}

std::optional<SystemNumbers::NamedTrack> SystemNumbers::forget(std::uint32_t thread) {
  if (thread >= thread_of_.size() || !thread_of_[thread]) return std::nullopt;
  const NamedTrack named = {*thread_of_[thread], thread_name(thread)};
  thread_of_[thread].reset();
  return named;
}

}  // namespace evt
