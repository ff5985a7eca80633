#include "event_counts_impl.h"
#include "parts.h"

namespace evt {

EventCounts::EventCounts() : impl_(std::make_unique<Impl>()) {}

std::uint64_t EventCounts::all() const { return impl_->all; }
std::uint64_t EventCounts::lost() const { return impl_->lost; }

void EventCounts::take(const RoleEvent& event) {
  if (event.event == nullptr || event.jump || event.is_facet) return;
  if (event.lost) {
    impl_->lost += event.event->number(Role::kAmount).value_or(0);
    return;
  }
  ++impl_->all;
  if (const auto place = place_of(event.event->type(), event.event->session())) {
    ++grown(&impl_->by_type, *place);
  } else {
    ++impl_->undeclared;
  }
}

std::vector<EventCounts::Count> EventCounts::since(const EventCounts& before, const Session& session) const {
  std::vector<Count> all;
  for (std::size_t i = 0; i < impl_->by_type.size(); ++i) {
    const std::uint64_t was = i < before.impl_->by_type.size() ? before.impl_->by_type[i] : 0;
    if (impl_->by_type[i] > was) all.push_back({&session.types[i], impl_->by_type[i] - was});
  }
  if (impl_->undeclared > before.impl_->undeclared)
    all.push_back({nullptr, impl_->undeclared - before.impl_->undeclared});
  return all;
}

}  // namespace evt
