// Messages and arrows of which one end was met.
#pragma once

#include <compare>
#include <list>
#include <map>
#include <optional>

#include "flow.h"

namespace evt::view {

// Of too many, those are forgotten that were met first.
class OpenMessages {
 public:
  static constexpr std::size_t kMost = 65536;

  struct Key {
    FlowKind kind = FlowKind::kMessage;
    std::uint32_t part = Actor::kNone;  // within which the number is known
    std::uint64_t number = 0;
    auto operator<=>(const Key&) const = default;
  };

  OpenMessages() = default;
  OpenMessages(const OpenMessages& other);
  OpenMessages& operator=(const OpenMessages&) = delete;

  // The flow that this end completes, if the other one is known. A message has one end on each side; from where an
  // arrow begins it leads to many. `is_kept`: the end is remembered if it completes none.
  std::optional<Flow> leave(const Key& key, const FlowEnd& end, bool is_kept);
  std::optional<Flow> arrive(const Key& key, const FlowEnd& end, bool is_kept);
  // Of how many one end was met.
  std::size_t size() const { return open_.size(); }
  // How many have left and not arrived.
  std::size_t on_their_way() const { return on_their_way_; }

 private:
  struct Open {
    Key key;
    FlowEnd end;
    bool has_left = false;
    bool has_arrived = false;
  };
  using Opens = std::list<Open>;

  void keep(const Open& open);
  void forget(Opens::iterator open);

  Opens open_;  // in the order in which they were met
  std::map<Key, Opens::iterator> by_key_;
  std::size_t on_their_way_ = 0;
};

}  // namespace evt::view
