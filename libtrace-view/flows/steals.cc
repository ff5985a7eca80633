#include "steals.h"

#include <algorithm>
#include <string>

namespace evt::view {
namespace {

std::optional<std::uint64_t> victim_of(const Event& event) {
  for (const char* const name : {"victim_cap", "victim"}) {
    const std::optional<Value> value = event.value(name);
    if (value && value->kind() == Kind::kUnsigned && !value->is_sequence()) return value->as_unsigned();
  }
  return std::nullopt;
}

}  // namespace

Steals::Steals(Actors& actors)
    : actors_(&actors), has_steals_(std::ranges::any_of(actors.session().types, [](const EventType& type) {
        return type.has_role(Role::kSparkSteal);
      })) {}

void Steals::move(const TimelineItem& item) {
  if (item.thread >= where_.size()) where_.resize(item.thread + std::size_t{1}, Actor::kNone);
  where_[item.thread] = item.state == ThreadState::kRunning ? item.cpu : Actor::kNone;
}

std::optional<Flow> Steals::flow_of(const TimelineItem& item) const {
  const std::optional<std::uint64_t> victim = victim_of(*item.event->event);
  if (!victim) return std::nullopt;
  const StreamInfo& stream = *item.stream;
  FlowEnd to{item.ns, place_of(stream), ThreadLives::kNone, cpu_that_is(stream)};
  if (to.cpu == Actor::kNone && item.thread < where_.size()) to.cpu = where_[item.thread];
  FlowEnd from{item.ns, to.stream, ThreadLives::kNone, cpu_with(*victim, actors_->part_of(stream))};
  if (from.cpu == Actor::kNone) {
    const StreamInfo* const other = beside(stream, *victim);
    if (other == nullptr) return std::nullopt;
    from.stream = place_of(*other);
    from.cpu = cpu_that_is(*other);
  }
  return Flow{FlowKind::kSteal, from, to};
}

std::uint32_t Steals::place_of(const StreamInfo& stream) const {
  return static_cast<std::uint32_t>(&stream - actors_->session().streams.data());
}

// Not by Actors::cpu_of(), which makes it one.
std::uint32_t Steals::cpu_that_is(const StreamInfo& stream) const {
  const std::vector<Actor>& cpus = actors_->cpus().all();
  const auto cpu = std::find_if(cpus.begin(), cpus.end(),
                                [&](const Actor& each) { return each.is_stream && each.number == stream.id; });
  return cpu != cpus.end() ? static_cast<std::uint32_t>(cpu - cpus.begin()) : Actor::kNone;
}

std::uint32_t Steals::cpu_with(std::uint64_t number, std::uint32_t part) const {
  const std::vector<Actor>& cpus = actors_->cpus().all();
  const auto cpu = std::find_if(cpus.begin(), cpus.end(), [&](const Actor& each) {
    return !each.is_stream && each.number == number && each.part == part;
  });
  return cpu != cpus.end() ? static_cast<std::uint32_t>(cpu - cpus.begin()) : Actor::kNone;
}

// The stream of the same part whose name has this number where the name of the other has its own.
const StreamInfo* Steals::beside(const StreamInfo& stream, std::uint64_t number) const {
  const std::size_t end = stream.name.find_last_not_of("0123456789");
  if (end == std::string::npos || end + 1 == stream.name.size()) return nullptr;
  const std::string name = stream.name.substr(0, end + 1) + std::to_string(number);
  const std::uint32_t part = actors_->part_of(stream);
  for (const StreamInfo& each : actors_->session().streams) {
    if (each.name == name && actors_->part_of(each) == part) return &each;
  }
  return nullptr;
}

}  // namespace evt::view
