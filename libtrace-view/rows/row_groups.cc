#include "row_groups.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "actor_names.h"

namespace evt::view {
namespace {

constexpr const char* kRun = "evt run";  // the program of the part that has what evt run saw of the system

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
  groups_.push_back({"Other threads", false, false});
  groups_.push_back({"Recorder", false, true});
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
  std::string title = fmt::format("{} {}", began, pid);
  if (became != programs.rend() && !became->empty()) title += ": " + *became;
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
  return stream ? of_part(stream_parts_[*stream]) : of_recorder() - 1;
}

}  // namespace evt::view
