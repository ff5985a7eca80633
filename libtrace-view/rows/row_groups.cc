#include "row_groups.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "actor_names.h"

namespace evt::view {
namespace {

constexpr std::uint32_t kLast = RowGroups::kNone - 1;

constexpr const char* kRun = "evt run";  // the program of the part that has what evt run saw of the system

// Of the number of a process's first thread, or of another.
bool states_process(const EventType& type) {
  const Field* const field = type.field(Role::kProcess);
  return field != nullptr && field->scope == Scope::kBoot;
}

std::string title_of(const std::string& began, const std::string& number, const std::string& became) {
  const std::string title = fmt::format("{} {}", began, number);
  return became.empty() || became == began ? title : fmt::format("{}: {}", title, became);
}

std::string fact_of(const Session& session, std::uint32_t part, const char* key) {
  const std::string* const value = session.fact(EVT_FACT_SCOPE_PART, part, key);
  return value != nullptr ? *value : "";
}

std::string program_of(const Session& session, std::uint32_t part) {
  return fact_of(session, part, EVT_FACT_PART_PROGRAM);
}

bool is_of_system(const Session& session, Role role) {
  return std::any_of(session.types.begin(), session.types.end(), [&](const EventType& type) {
    const Field* const field = type.field(role);
    return field != nullptr && field->scope == Scope::kBoot;
  });
}

// As the system called the process while it was that part: a script by its own name.
std::string image_of(const Session& session, std::uint32_t part, const std::string& pid) {
  const auto is_main = [&](const StreamInfo& stream) {
    return session.parts[part].has_stream(stream.id) && std::to_string(stream.thread) == pid && !stream.name.empty();
  };
  const auto main = std::find_if(session.streams.begin(), session.streams.end(), is_main);
  return main != session.streams.end() ? main->name : program_of(session, part);
}

// The program that evt run calls a process by, which is the last one that it became: NAME of NAME.PID. Empty of others.
std::string last_program(const std::string& name, const std::string& pid) {
  const std::string suffix = "." + pid;
  return !pid.empty() && name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : "";
}

}  // namespace

RowGroups::RowGroups(const Session& session)
    : session_(&session),
      has_system_threads_(is_of_system(session, Role::kThread)),
      has_system_cpus_(is_of_system(session, Role::kCpu)) {
  if (session.parts.empty()) return;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> processes;
  std::map<std::string, std::uint32_t> machines;
  std::vector<std::vector<std::uint32_t>> parts;
  for (std::uint32_t i = 0; i < session.parts.size(); ++i) {
    by_part_.push_back(kNone);
    if (program_of(session, i) == kRun) continue;
    const std::string& name = session.parts[i].name;
    const std::string pid = fact_of(session, i, EVT_FACT_PART_PID);
    std::size_t group = parts.size();
    if (!last_program(name, pid).empty()) {
      group = processes.emplace(std::tuple(name, pid, fact_of(session, i, EVT_FACT_PART_BOOT)), group).first->second;
    }
    if (group == parts.size()) parts.emplace_back();
    parts[group].push_back(i);
    by_part_[i] = static_cast<std::uint32_t>(group);
  }
  for (const std::vector<std::uint32_t>& of : parts) {
    const bool is_process =
        !last_program(session.parts[of[0]].name, fact_of(session, of[0], EVT_FACT_PART_PID)).empty();
    groups_.push_back({title_of(of), is_process});
  }
  for (std::uint32_t i = 0; i < session.parts.size(); ++i) {
    machines_.push_back(machines.emplace(machine_of(i), i).first->second);
    if (!is_process(by_part_[i])) continue;
    const std::string pid = fact_of(session, i, EVT_FACT_PART_PID);
    processes_[on_machine(i, std::strtoull(pid.c_str(), nullptr, 10))] = {by_part_[i], groups_[by_part_[i]].title};
  }
  groups_.push_back({"Other threads", false, false});
  recorder_ = static_cast<std::uint32_t>(groups_.size());
  groups_.push_back({"Recorder", false, true});
  has_processes_ = std::ranges::any_of(session.types, states_process);
  std::replace(by_part_.begin(), by_part_.end(), kNone, of_recorder());
  for (const StreamInfo& stream : session.streams) {
    stream_parts_.push_back(part_of(session, stream));
    if (stream.thread != 0) with_streams_.emplace(stream_parts_.back(), stream.thread);
  }
}

// `bash 14561: readlink` of a process, by the program that began and the one that it became; of other parts the name.
std::string RowGroups::title_of(const std::vector<std::uint32_t>& parts) const {
  const std::uint32_t first = parts.front();
  const MergedPart& part = session_->parts[first];
  const std::string pid = fact_of(*session_, first, EVT_FACT_PART_PID);
  const std::string last = last_program(part.name, pid);
  const std::string clock = part.bound_ns == 0 ? "exact" : fmt::format("within {} ns", part.bound_ns);
  const bool is_aligned = part.alignment != EVT_ALIGNED_NONE;
  if (last.empty()) {
    const auto is_namesake = [&](const MergedPart& each) { return each.name == part.name; };
    const bool is_alone = part.name.empty() || std::ranges::count_if(session_->parts, is_namesake) == 1;
    const std::string number = is_alone       ? ""
                               : !pid.empty() ? ", pid " + pid
                                              : fmt::format(" ({} of {})", first + 1, session_->parts.size());
    return session_->part_name(first) + number + (is_aligned ? ", clock " + clock : "");
  }
  std::vector<std::string> programs;
  for (const std::uint32_t each : parts) programs.push_back(image_of(*session_, each, pid));
  programs.push_back(last);
  const std::string& began = programs.front().empty() ? last : programs.front();
  const auto became =
      std::find_if(programs.rbegin(), programs.rend(), [&](const std::string& each) { return each != began; });
  const std::string title = view::title_of(began, pid, became != programs.rend() ? *became : "");
  return part.bound_ns == 0 ? title : title + ", clock " + clock;
}

std::string RowGroups::machine_of(std::uint32_t part) const {
  return part < session_->parts.size() ? fact_of(*session_, part, EVT_FACT_PART_BOOT) : "";
}

// One that no stream is of is of the process whose thread made it; that of the writer is of no process.
std::uint32_t RowGroups::of_thread(const Actor& thread, const StreamSet& streams) const {
  const bool is_of_part =
      !has_system_threads_ || thread.is_stream || with_streams_.contains({thread.part, thread.number});
  if (groups_.empty() || (is_of_part && !is_of_recorder(thread.part))) return of_part(thread.part);
  if (thread.name == Actor::kRecorder) return of_recorder();
  const auto stream = streams.find_if([&](std::uint32_t place) { return !is_of_recorder(stream_parts_[place]); });
  return stream ? of_part(stream_parts_[*stream]) : of_number(on_machine(thread.part, thread.number));
}

std::uint32_t RowGroups::of_number(const Number& thread) const {
  const auto owner = processes_of_threads_.find(thread);
  const auto process =
      processes_.find({thread.first, owner != processes_of_threads_.end() ? owner->second : thread.second});
  return process != processes_.end() ? process->second.group : of_recorder() - 1;
}

RowGroups::Process& RowGroups::process_at(const Number& number) {
  const auto [at, is_new] = processes_.try_emplace(number);
  if (is_new) {
    at->second.group = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back({fmt::format("process {}", number.second), true});
  }
  return at->second;
}

// A process begins with the program of its parent.
void RowGroups::take_process(const RoleEvent& event) {
  const bool is_start = event.role == Role::kProcessStart;
  const bool is_of_thread = event.role == Role::kNone;
  if (event.event == nullptr || (!is_start && !is_of_thread && event.role != Role::kProgram)) return;
  if (!states_process(event.event->type())) return;
  const std::uint32_t part = stream_parts_[static_cast<std::size_t>(event.stream - session_->streams.data())];
  const std::uint64_t number = event.event->number(Role::kProcess).value_or(0);
  if (is_of_thread) {
    if (const auto thread = event.event->number(Role::kThread))
      processes_of_threads_[on_machine(part, *thread)] = number;
    return;
  }
  Process& process = process_at(on_machine(part, number));
  if (is_start) {
    processes_of_threads_.erase(on_machine(part, number));
    const auto parent = processes_.find(on_machine(part, event.event->number(Role::kParent).value_or(0)));
    process.began = process.became = parent != processes_.end() ? parent->second.became : "";
  } else if (const auto name = event.event->value(Role::kName); name && name->kind() == Kind::kText) {
    process.became = name->as_text();
    if (process.began.empty()) process.began = process.became;
  }
  if (!process.became.empty()) groups_[process.group].title = title_of(process, number);
}

// A program that recorded nothing itself is in no title by parts.
std::string RowGroups::title_of(const Process& process, std::uint64_t number) {
  if (process.title.empty()) return view::title_of(process.began, std::to_string(number), process.became);
  if (process.title.find(process.became) != std::string::npos) return process.title;
  return fmt::format("{}: {}", process.title.substr(0, process.title.find(": ")), process.became);
}

// Processes, those that have no part behind the others; what is of no process; what recording did.
std::uint32_t RowGroups::place_of(std::uint32_t group) const {
  if (group == kNone || groups_.empty()) return group;
  if (group == recorder_) return kLast;
  return group + 1 == recorder_ ? kLast - 1 : group;
}

}  // namespace evt::view
