#include "process_parts.h"

#include <stdlib.h>

#include <algorithm>

namespace evt {

ProcessParts::ProcessParts(const Session& session) : parts_(session.parts.size()) {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::string* const pid = session.fact(EVT_FACT_SCOPE_PART, i, EVT_FACT_PART_PID);
    if (pid != nullptr) parts_[i].process = strtoull(pid->c_str(), nullptr, 10);
    for (const StreamInfo& stream : session.streams) {
      if (session.parts[i].has_stream(stream.id)) parts_[i].first_ns = std::min(parts_[i].first_ns, stream.first_ns);
    }
  }
}

std::uint32_t ProcessParts::of(const Event& event, const Actors::Impl& actors, std::uint32_t own,
                               std::int64_t ns) const {
  const Field* const field = event.type().field(Role::kProcess);
  const std::uint64_t process = event.number(Role::kProcess).value_or(0);
  if (parts_.empty() || field == nullptr || field->scope != Scope::kBoot || process == 0) return own;
  std::uint32_t found = Actor::kNone;
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    const bool is_known_there = i == own || (actors.shares_boot(i) && actors.shares_boot(own));
    if (parts_[i].process != process || !is_known_there) continue;
    // It has several, one for each program that it executed.
    if (found == Actor::kNone || (parts_[i].first_ns <= ns && parts_[i].first_ns > parts_[found].first_ns)) found = i;
  }
  // Threads without a stream belong to the first part.
  return found != Actor::kNone || own != 0 ? found : own;
}

}  // namespace evt
