#include <evt/analysis/event_counts.h>

#include <functional>

#include "parts.h"

namespace evt {

void EventCounts::take(const RoleEvent& event) {
  if (event.event == nullptr || event.jump) return;
  if (event.lost) {
    lost_ += event.event->number(Role::kAmount).value_or(0);
    return;
  }
  ++all_;
  const std::vector<EventType>& types = event.event->session().types;
  const EventType* const type = &event.event->type();
  const std::less<> before;  // for pointers of any origin
  if (before(type, types.data()) || !before(type, types.data() + types.size())) {
    ++undeclared_;
  } else {
    ++grown(&by_type_, static_cast<std::uint32_t>(type - types.data()));
  }
}

std::vector<EventCounts::Count> EventCounts::since(const EventCounts& before, const Session& session) const {
  std::vector<Count> all;
  for (std::size_t i = 0; i < by_type_.size(); ++i) {
    const std::uint64_t was = i < before.by_type_.size() ? before.by_type_[i] : 0;
    if (by_type_[i] > was) all.push_back({&session.types[i], by_type_[i] - was});
  }
  if (undeclared_ > before.undeclared_) all.push_back({nullptr, undeclared_ - before.undeclared_});
  return all;
}

}  // namespace evt
