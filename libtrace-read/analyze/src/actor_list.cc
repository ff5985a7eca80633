#include <evt/analysis/actor_list.h>

#include "actor_table.h"

namespace evt {

void FoldedActors::add(std::uint32_t index) {
  if (index >= gone_.size()) gone_.resize(std::size_t{index} + 1);
  gone_[index] = true;
  all_.push_back(index);
}

const std::vector<Actor>& ActorList::all() const { return table_->all(); }
std::uint64_t ActorList::folded() const { return table_->folded(); }
std::uint64_t ActorList::no_room() const { return table_->no_room(); }
std::uint32_t ActorList::most() const { return table_->most(); }

}  // namespace evt
