#include "actor_table.h"

#include <algorithm>
#include <utility>

namespace evt {
namespace {

// Folding visits all data of the analyses, so it must make room for many.
constexpr std::uint32_t kWorthIt = 16;  // one of this number

}  // namespace

std::uint32_t ActorTable::add(std::uint64_t number, std::uint32_t part, bool is_stream) {
  if (next_ == IndexTable::kNone) {
    add_others();
    ++no_room_;
    return Actor::kOthers;
  }
  const std::uint32_t index = next_;
  if (index == actors_.size()) {
    actors_.emplace_back();
  } else {
    free_.pop_back();
  }
  ++added_;
  Actor& actor = actors_[index];
  actor.number = number;
  actor.part = part;
  actor.is_stream = is_stream;
  if (!free_.empty()) {
    next_ = free_.back();
  } else {
    next_ = actors_.size() < most_ ? size() : IndexTable::kNone;
  }
  see_whether_to_fold();
  return index;
}

// From now on the number belongs to the new one.
std::uint32_t ActorTable::begin_again(std::uint64_t number, std::uint32_t part) {
  indexes_.move(number, space_of(part, false), next_);
  return add(number, part, false);
}

// After all those that have their own indexes.
void ActorTable::add_others() {
  if (actors_.size() <= Actor::kOthers) actors_.resize(std::size_t{Actor::kOthers} + 1);
}

void ActorTable::end(std::uint32_t index) {
  if (index == Actor::kOthers || actors_[index].has_ended) return;
  actors_[index].has_ended = true;
  ++ended_;
  see_whether_to_fold();
}

void ActorTable::undo_end(std::uint32_t index) {
  actors_[index].has_ended = false;
  --ended_;
  see_whether_to_fold();
}

void ActorTable::see_whether_to_fold() {
  can_fold_ = next_ == IndexTable::kNone && ended_ >= std::max(fold_at_, most_ / kWorthIt + 1);
}

// Several may have had one number, one after another: it belongs to the last one.
void ActorTable::archive(Archive& archive, std::size_t parts) {
  std::vector<Actor> read;
  archive.list(archive.is_reading() ? read : actors_, most_, [&](Actor& actor) {
    archive.numbers(actor.number);
    archive.index(actor.part, parts);
    archive.numbers(actor.is_stream, actor.has_ended, actor.is_idle);
    archive.optional(actor.created_ns);
    archive.text(actor.name);
  });
  for (Actor& actor : read) {
    const bool has_ended = std::exchange(actor.has_ended, false);
    const bool is_again = !actor.is_stream && has(actor.number, actor.part, false);
    const std::uint32_t next = size();
    const std::uint32_t index =
        is_again ? begin_again(actor.number, actor.part) : this->index(actor.number, actor.part, actor.is_stream);
    if (!archive.require(index == next)) return;
    actors_[index] = std::move(actor);
    if (has_ended) end(index);
  }
}

FoldedActors ActorTable::fold(const std::vector<bool>& stays) {
  FoldedActors gone;
  indexes_ = IndexTable();
  const auto keep = [&](std::uint32_t i) {
    indexes_.index(actors_[i].number, space_of(actors_[i].part, actors_[i].is_stream), i);
  };
  // A number belongs to an actor that has not ended, if there is one.
  for (std::uint32_t i = 0; i < most_; ++i) {
    if (!actors_[i].has_ended) keep(i);
  }
  for (std::uint32_t i = 0; i < most_; ++i) {
    if (!actors_[i].has_ended) continue;
    if (i < stays.size() && stays[i]) {
      keep(i);
      continue;
    }
    gone.add(i);
    actors_[i] = Actor();
  }
  // The smallest first.
  free_.assign(gone.all().rbegin(), gone.all().rend());
  const auto count = static_cast<std::uint32_t>(gone.all().size());
  folded_ += count;
  ended_ -= count;
  fold_at_ = ended_ + most_ / kWorthIt + 1;
  if (count > 0) {
    next_ = free_.back();
    add_others();
  }
  see_whether_to_fold();
  return gone;
}

}  // namespace evt
