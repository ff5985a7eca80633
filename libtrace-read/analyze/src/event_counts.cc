#include <evt/analysis/event_counts.h>

#include "parts.h"

namespace evt {

void EventCounts::take(const RoleEvent& event) {
  if (event.event == nullptr || event.jump) return;
  if (event.lost) {
    lost_ += event.event->number(Role::kAmount).value_or(0);
    return;
  }
  ++all_;
  if (const auto place = place_of(event.event->type(), event.event->session())) {
    ++grown(&by_type_, *place);
  } else {
    ++undeclared_;
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
