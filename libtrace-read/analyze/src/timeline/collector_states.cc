#include "collector_states.h"

#include <algorithm>

namespace evt {

CollectorStates::CollectorStates(Actors::Impl& actors)
    : session_(&actors.session()), streams_(session_->streams.size()) {
  for (std::size_t i = 0; i < streams_.size(); ++i) streams_[i].part = actors.part_of(session_->streams[i]);
}

// The leader's generation, or else the one that any of the members has stated.
std::uint64_t CollectorStates::Collection::generation() const {
  if (leader != Actor::kNone && members[leader].generation != Timeline::kNoGeneration)
    return members[leader].generation;
  const auto stated = std::find_if(members.rbegin(), members.rend(),
                                   [](const Member& each) { return each.generation != Timeline::kNoGeneration; });
  return stated != members.rend() ? stated->generation : Timeline::kNoGeneration;
}

CollectorStates::Collection* CollectorStates::find(std::uint64_t number) {
  const auto found = std::ranges::find_if(collections_, [&](const Collection& each) { return each.number == number; });
  return found != collections_.end() ? &*found : nullptr;
}

// REQUIRES: the stream collects.
CollectorStates::Member& CollectorStates::member(std::uint32_t stream) {
  std::vector<Member>& members = find(streams_[stream].number)->members;
  return *std::ranges::find_if(members, [&](const Member& each) { return each.stream == stream; });
}

void CollectorStates::take(const RoleEvent& event, TimelineItem at, TimelineItems* items) {
  const auto stream = static_cast<std::uint32_t>(event.stream - session_->streams.data());
  at.stream = event.stream;
  switch (event.role) {
    case Role::kGcStart:
      return begin(event, at, items);
    case Role::kGcSync:
    case Role::kGcStatistics:
      return lead(stream, event, at.name);
    case Role::kGcWork:
      return change_phase(stream, CollectorPhase::kWork, at, items);
    case Role::kGcIdle:
      return change_phase(stream, CollectorPhase::kIdle, at, items);
    case Role::kGcDone:
      return done(stream, at, items);
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

void CollectorStates::begin(const RoleEvent& event, const TimelineItem& at, TimelineItems* items) {
  const auto place = static_cast<std::uint32_t>(event.stream - session_->streams.data());
  OfStream& stream = streams_[place];
  if (stream.collects) {
    TimelineItem cut = at;
    cut.is_cut = true;
    cut.ended_ns = event.recorded_ns;
    end(place, cut, items);
  }
  // Records about a collection come before the next begin of one of its streams, or of its process.
  const bool any =
      std::ranges::any_of(streams_, [&](const OfStream& each) { return each.collects && each.part == stream.part; });
  close_over(!any, stream.part, stream.number, at, items);
  Member begun;
  begun.stream = place;
  begun.thread = event.thread;
  begun.generation = event.event->number(Role::kGeneration).value_or(Timeline::kNoGeneration);
  begun.reason = at.name;
  begun.began_ns = begun.ended_ns = event.recorded_ns;
  begun.is_wanted = at.is_wanted;
  Collection& collection = join(place, begun.generation, at, items);
  collection.members.push_back(begun);
  ++collection.collecting;
  stream = {stream.part, true, false, CollectorPhase::kWork, event.recorded_ns, collection.number};
  TimelineItem& item = items->append(at, ItemKind::kCollectorBegan);
  item.phase = CollectorPhase::kWork;
  item.began_ns = event.recorded_ns;
}

// The collection that the stream is at from now on. A member that was done alone waits from now on.
CollectorStates::Collection& CollectorStates::join(std::uint32_t stream, std::uint64_t generation,
                                                   const TimelineItem& at, TimelineItems* items) {
  const auto fits = [&](const Collection& each) {
    const std::uint64_t its = each.generation();
    const bool may_be_same =
        generation == Timeline::kNoGeneration || its == Timeline::kNoGeneration || generation == its;
    const bool is_at_it =
        std::ranges::any_of(each.members, [&](const Member& member) { return member.stream == stream; });
    return each.collecting > 0 && each.part == streams_[stream].part && !is_at_it && may_be_same;
  };
  const auto found = std::find_if(collections_.rbegin(), collections_.rend(), fits);
  if (found == collections_.rend()) {
    return collections_.emplace_back(Collection{++last_, streams_[stream].part, 0, Actor::kNone, {}});
  }
  for (const Member& each : found->members) {
    if (streams_[each.stream].number != found->number || !streams_[each.stream].is_done) continue;
    change_phase(each.stream, CollectorPhase::kSync, at, items);
  }
  return *found;
}

// Phases have no gap between them, in whatever order streams' clocks put their ends.
void CollectorStates::change_phase(std::uint32_t place, CollectorPhase phase, const TimelineItem& at,
                                   TimelineItems* items) {
  OfStream& stream = streams_[place];
  if (!stream.collects) return;
  stream.is_done = false;
  if (stream.phase == phase) return;
  const Member& of = member(place);
  TimelineItem& item = items->append(at, ItemKind::kCollectorPhase);
  item.stream = &session_->streams[place];
  item.thread = of.thread;
  item.phase = phase;
  item.phase_before = stream.phase;
  item.began_ns = stream.phase_ns;
  item.ended_ns = std::max(stream.phase_ns, at.ended_ns);
  stream.phase = phase;
  stream.phase_ns = item.ended_ns;
}

// A member that is alone waits for nobody: its time until the end is work.
void CollectorStates::done(std::uint32_t place, const TimelineItem& at, TimelineItems* items) {
  if (!streams_[place].collects) return;
  const bool is_alone = find(streams_[place].number)->members.size() == 1;
  change_phase(place, is_alone ? CollectorPhase::kWork : CollectorPhase::kSync, at, items);
  streams_[place].is_done = true;
}

void CollectorStates::end(std::uint32_t place, TimelineItem at, TimelineItems* items) {
  OfStream& stream = streams_[place];
  change_phase(place, CollectorPhase::kNone, at, items);
  stream.collects = false;
  --find(stream.number)->collecting;
  Member& of = member(place);
  of.ended_ns = std::max(of.began_ns, at.ended_ns);
  of.is_wanted |= at.is_wanted;
  of.is_cut = at.is_cut;
  of.is_open = at.is_open;
  at.kind = ItemKind::kCollectorEnded;
  at.stream = &session_->streams[place];
  at.thread = of.thread;
  at.began_ns = of.began_ns;
  at.ended_ns = of.ended_ns;
  at.is_wanted = of.is_wanted;
  items->append(at);
}

void CollectorStates::lead(std::uint32_t stream, const RoleEvent& event, std::uint32_t reason) {
  Collection* const collection = find(streams_[stream].number);
  if (collection == nullptr) return;
  Member& of = member(stream);
  collection->leader = static_cast<std::uint32_t>(&of - collection->members.data());
  if (const auto generation = event.event->number(Role::kGeneration)) of.generation = *generation;
  if (reason != EventNames::kNone) of.reason = reason;
}

void CollectorStates::close(std::size_t place, TimelineItem at, TimelineItems* items) {
  const Collection collection = std::move(collections_[place]);
  collections_.erase(collections_.begin() + static_cast<std::ptrdiff_t>(place));
  const bool is_led = collection.leader != Actor::kNone;
  at.kind = ItemKind::kCollection;
  for (std::uint32_t i = 0; i < collection.members.size(); ++i) {
    const Member& of = collection.members[i];
    if (is_led && i != collection.leader) continue;
    at.stream = &session_->streams[of.stream];
    at.thread = of.thread;
    at.value = is_led ? collection.generation() : of.generation;
    at.name = of.reason;
    at.began_ns = of.began_ns;
    at.ended_ns = of.ended_ns;
    at.is_open = of.is_open ||
                 (is_led && std::ranges::any_of(collection.members, [](const Member& each) { return each.is_open; }));
    at.is_cut = of.is_cut;
    at.is_wanted = of.is_wanted;
    items->append(at);
  }
}

// Closes those of the part in which no stream collects any more: all, or the one with this number.
void CollectorStates::close_over(bool all, std::uint32_t part, std::uint64_t number, const TimelineItem& at,
                                 TimelineItems* items) {
  for (std::size_t i = 0; i < collections_.size();) {
    const Collection& each = collections_[i];
    const bool is_over = each.collecting == 0 && each.part == part && (all || each.number == number);
    is_over ? close(i, at, items) : static_cast<void>(++i);
  }
}

void CollectorStates::begin(const TimelineItem& at, TimelineItems* items) const {
  for (const Collection& collection : collections_) {
    for (const Member& of : collection.members) {
      const OfStream& stream = streams_[of.stream];
      if (!stream.collects || stream.number != collection.number) continue;
      TimelineItem& item = items->append(at, ItemKind::kCollectorBegan);
      item.stream = &session_->streams[of.stream];
      item.thread = of.thread;
      item.phase = stream.phase;
      item.began_ns = of.began_ns;
      item.is_wanted = of.is_wanted;
    }
  }
}

void CollectorStates::archive(Archive& archive, std::size_t threads, std::size_t names) {
  archive.numbers(last_);
  archive.require(last_ < UINT64_MAX / 2);
  archive.list(collections_, Archive::kMost, [&](Collection& each) {
    archive.numbers(each.number, each.collecting);
    archive.require(each.number > 0 && each.number <= last_);
    archive.index(each.part, session_->parts.size());
    archive.numbers(each.leader);
    archive.list(each.members, session_->streams.size(), [&](Member& of) {
      archive.index(of.stream, session_->streams.size());
      archive.index(of.thread, threads);
      archive.index(of.reason, names);
      archive.numbers(of.generation, of.began_ns, of.ended_ns, of.is_cut, of.is_open, of.is_wanted);
      archive.require(of.stream != Actor::kNone);
    });
    archive.require(each.leader == Actor::kNone || each.leader < each.members.size());
  });
  archive.list(streams_, session_->streams.size(), [&](OfStream& stream) {
    archive.index(stream.part, session_->parts.size());
    archive.numbers(stream.collects, stream.is_done);
    archive.choice(stream.phase, CollectorPhase::kSync);
    archive.numbers(stream.phase_ns, stream.number);
    const auto index = static_cast<std::size_t>(&stream - streams_.data());
    const auto is_it = [&](const Member& of) { return of.stream == index; };
    const Collection* const at = find(stream.number);
    archive.require(at != nullptr ? std::ranges::any_of(at->members, is_it) : !stream.collects);
  });
  archive.require(streams_.size() == session_->streams.size());
}

void CollectorStates::finish(TimelineItem at, TimelineItems* items) {
  for (std::size_t i = 0; i < collections_.size();) {
    collections_[i].collecting == 0 ? close(i, at, items) : static_cast<void>(++i);
  }
  at.is_open = true;
  at.is_wanted = false;
  at.ended_ns = at.ns;
  for (std::uint32_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].collects) end(i, at, items);
  }
  while (!collections_.empty()) close(0, at, items);
}

}  // namespace evt
