#include "collector_states.h"

#include <algorithm>

namespace evt {

CollectorStates::Collection* CollectorStates::find(std::uint64_t number) {
  const auto found = std::find_if(collections_.begin(), collections_.end(),
                                  [&](const Collection& each) { return each.number == number; });
  return found != collections_.end() ? &*found : nullptr;
}

void CollectorStates::take(const RoleEvent& event, TimelineItem at, TimelineItems* items) {
  const auto stream = static_cast<std::uint32_t>(event.stream - session_->streams.data());
  at.stream = event.stream;
  switch (event.role) {
    case Role::kGcStart:
      begin(event, at, items);
      break;
    case Role::kGcSync:
    case Role::kGcStatistics:
      lead(stream, event);
      break;
    case Role::kGcWork:
      change_phase(stream, CollectorPhase::kWork, at, items);
      break;
    case Role::kGcIdle:
      change_phase(stream, CollectorPhase::kIdle, at, items);
      break;
    case Role::kGcDone:
      change_phase(stream, CollectorPhase::kSync, at, items);
      break;
    case Role::kGcEnd:
      at.ended_ns = event.recorded_ns;
      if (streams_[stream].collects) {
        end(stream, at, items);
      } else {
        at.kind = ItemKind::kUnmatchedEnd;
        items->append(at);
      }
      break;
    default:
      break;
  }
}

void CollectorStates::begin(const RoleEvent& event, TimelineItem at, TimelineItems* items) {
  const auto place = static_cast<std::uint32_t>(event.stream - session_->streams.data());
  OfStream& stream = streams_[place];
  if (stream.collects) {
    TimelineItem cut = at;
    cut.is_cut = true;
    cut.ended_ns = event.recorded_ns;
    end(place, cut, items);
  }
  // What is recorded of a collection comes before the next of its streams begins, or of any.
  close_over(collecting_ == 0, stream.number, at, items);
  const std::uint64_t generation = event.event->number(Role::kGeneration).value_or(Timeline::kNoGeneration);
  const auto fits = [&](const Collection& each) {
    const bool may_be_same = generation == Timeline::kNoGeneration || each.generation == Timeline::kNoGeneration ||
                             generation == each.generation;
    return each.collecting > 0 && each.number != stream.number && may_be_same;
  };
  const auto found = std::find_if(collections_.rbegin(), collections_.rend(), fits);
  Collection& collection = found != collections_.rend()
                               ? *found
                               : collections_.emplace_back(Collection{++last_, place, false, false, 0, generation});
  if (generation != Timeline::kNoGeneration) collection.generation = generation;
  ++collection.collecting;
  ++collecting_;
  stream = {
      true,        event.recorded_ns, event.recorded_ns, CollectorPhase::kWork, event.recorded_ns, collection.number,
      at.is_wanted};
  at.kind = ItemKind::kCollectorBegan;
  at.phase = CollectorPhase::kWork;
  at.began_ns = event.recorded_ns;
  items->append(at);
}

// Phases have no gap between them, whatever order streams' clocks put their ends in.
void CollectorStates::change_phase(std::uint32_t place, CollectorPhase phase, const TimelineItem& at,
                                   TimelineItems* items) {
  OfStream& stream = streams_[place];
  if (!stream.collects || stream.phase == phase) return;
  TimelineItem& item = items->append(at, ItemKind::kCollectorPhase);
  item.stream = &session_->streams[place];
  item.phase = phase;
  item.phase_before = stream.phase;
  item.began_ns = stream.phase_ns;
  item.ended_ns = std::max(stream.phase_ns, at.ended_ns);
  stream.phase = phase;
  stream.phase_ns = item.ended_ns;
}

void CollectorStates::end(std::uint32_t place, TimelineItem at, TimelineItems* items) {
  OfStream& stream = streams_[place];
  change_phase(place, CollectorPhase::kNone, at, items);
  stream.collects = false;
  stream.ended_ns = std::max(stream.began_ns, at.ended_ns);
  stream.is_wanted |= at.is_wanted;
  --collecting_;
  if (Collection* const collection = find(stream.number)) {
    --collection->collecting;
    collection->is_cut |= at.is_cut && collection->leader == place;
  }
  at.kind = ItemKind::kCollectorEnded;
  at.stream = &session_->streams[place];
  at.began_ns = stream.began_ns;
  at.ended_ns = stream.ended_ns;
  at.is_wanted = stream.is_wanted;
  items->append(at);
}

void CollectorStates::lead(std::uint32_t stream, const RoleEvent& event) {
  Collection* const collection = find(streams_[stream].number);
  if (collection == nullptr) return;
  collection->leader = stream;
  collection->is_led = true;
  if (const auto generation = event.event->number(Role::kGeneration)) collection->generation = *generation;
}

void CollectorStates::close(std::size_t place, TimelineItem at, TimelineItems* items) {
  const Collection collection = collections_[place];
  const OfStream& leader = streams_[collection.leader];
  collections_.erase(collections_.begin() + static_cast<std::ptrdiff_t>(place));
  at.kind = ItemKind::kCollection;
  at.stream = &session_->streams[collection.leader];
  at.value = collection.generation;
  at.began_ns = leader.began_ns;
  at.ended_ns = leader.ended_ns;
  at.is_open = collection.collecting > 0;
  at.is_cut = collection.is_cut;
  at.is_wanted = leader.is_wanted;
  items->append(at);
}

// Those in which no stream collects any more: all, or the one with this number.
void CollectorStates::close_over(bool all, std::uint64_t number, const TimelineItem& at, TimelineItems* items) {
  for (std::size_t i = 0; i < collections_.size();) {
    const bool is_over = collections_[i].collecting == 0 && (all || collections_[i].number == number);
    is_over ? close(i, at, items) : static_cast<void>(++i);
  }
}

void CollectorStates::finish(TimelineItem at, TimelineItems* items) {
  close_over(true, 0, at, items);
  at.is_open = true;
  at.is_wanted = false;
  for (std::uint32_t i = 0; i < streams_.size(); ++i) {
    if (!streams_[i].collects) continue;
    at.ended_ns = at.ns;
    end(i, at, items);
  }
  for (Collection& each : collections_) each.collecting = 1;
  while (!collections_.empty()) close(0, at, items);
}

}  // namespace evt
