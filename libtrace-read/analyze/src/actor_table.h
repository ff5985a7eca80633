// The threads, or cpus, of a session that are remembered.
#pragma once

#include <evt/analysis/actor_list.h>

#include <vector>

#include "archive.h"
#include "index_table.h"

namespace evt {

// Gives indexes to actors, at most kOthers at a time. When it is full, ended ones can be folded, many at once, because
// folding costs work for all; an actor that finds no room is one of the others.
class ActorTable {
 public:
  // `most`: at a time; less than kOthers in tests.
  explicit ActorTable(std::uint32_t most = Actor::kOthers) : most_(most) {}

  // kNone: it may have none yet. Fast, while index() is too slow for each event.
  std::uint32_t known(std::uint64_t number, std::uint32_t part, bool is_stream) const {
    return indexes_.known(number, space_of(part, is_stream));
  }
  // kOthers: there is no room for it.
  std::uint32_t index(std::uint64_t number, std::uint32_t part, bool is_stream) {
    const std::uint32_t index = indexes_.index(number, space_of(part, is_stream), next_);
    return index == next_ ? add(number, part, is_stream) : index;
  }
  // The index of one that begins, different from an ended one with its number, if there is room for both.
  std::uint32_t index_of_new(std::uint64_t number, std::uint32_t part) {
    const std::uint32_t index = this->index(number, part, false);
    const bool was_there = index < actors_.size() && index != Actor::kOthers && actors_[index].has_ended;
    return was_there && next_ != IndexTable::kNone ? begin_again(number, part) : index;
  }
  // Gives the number of an ended actor to another from now on. REQUIRES: there is room.
  std::uint32_t begin_again(std::uint64_t number, std::uint32_t part);
  bool has(std::uint64_t number, std::uint32_t part, bool is_stream) const {
    return indexes_.has(number, space_of(part, is_stream));
  }
  // REQUIRES: it has an index.
  void end(std::uint32_t index);
  void revive(std::uint32_t index) {
    if (actors_[index].has_ended) [[unlikely]]
      undo_end(index);
  }

  // Existing actors. REQUIRES: none was folded or lacked room. Can be read only into an empty one.
  void archive(Archive& archive, std::size_t parts);

  // True if it is full, and enough have ended to make folding worthwhile.
  bool can_fold() const { return can_fold_; }
  // Forgets ended ones, except those that `stays` marks as still present.
  FoldedActors fold(const std::vector<bool>& stays);

  const std::vector<Actor>& all() const { return actors_; }
  Actor& operator[](std::uint32_t index) { return actors_[index]; }
  const Actor& operator[](std::uint32_t index) const { return actors_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(actors_.size()); }
  std::uint64_t added() const { return added_; }      // so far
  std::uint64_t folded() const { return folded_; }    // part of added()
  std::uint64_t no_room() const { return no_room_; }  // requests for one that found no room
  bool has_others() const { return folded_ + no_room_ > 0; }
  std::uint32_t most() const { return most_; }

 private:
  // Small, also for kNone as the part.
  static std::uint32_t space_of(std::uint32_t part, bool is_stream) {
    return (part + 1) << 1 | std::uint32_t{is_stream};
  }
  std::uint32_t add(std::uint64_t number, std::uint32_t part, bool is_stream);
  void add_others();
  void undo_end(std::uint32_t index);
  void see_whether_to_fold();

  std::uint32_t most_;
  std::uint32_t next_ = 0;  // the index of the next; IndexTable::kNone: none
  std::vector<Actor> actors_;
  std::vector<std::uint32_t> free_;  // indexes below actors_.size()
  IndexTable indexes_;
  std::uint32_t ended_ = 0;    // that have an index
  std::uint32_t fold_at_ = 0;  // number of ended ones that makes folding worthwhile
  bool can_fold_ = false;
  std::uint64_t added_ = 0;
  std::uint64_t folded_ = 0;
  std::uint64_t no_room_ = 0;
};

}  // namespace evt
