#include "open_messages.h"

namespace evt::view {

OpenMessages::OpenMessages(const OpenMessages& other) {
  for (const Open& open : other.open_) keep(open);
}

std::optional<Flow> OpenMessages::leave(const Key& key, const FlowEnd& end, bool is_kept) {
  const auto known = by_key_.find(key);
  std::optional<Flow> flow;
  if (known != by_key_.end()) {
    if (!known->second->has_left) flow = Flow{key.kind, end, known->second->end};
    forget(known->second);
  }
  if (!flow && is_kept) keep({key, end, true, false});
  return flow;
}

std::optional<Flow> OpenMessages::arrive(const Key& key, const FlowEnd& end, bool is_kept) {
  const auto known = by_key_.find(key);
  const bool is_arrow = key.kind == FlowKind::kArrow;
  if (known == by_key_.end() || !known->second->has_left) {
    if (known != by_key_.end()) forget(known->second);
    if (is_kept && !is_arrow) keep({key, end, false, true});
    return std::nullopt;
  }
  Open& open = *known->second;
  const Flow flow{key.kind, open.end, end};
  if (!is_arrow) {
    forget(known->second);
  } else if (!open.has_arrived) {
    open.has_arrived = true;
    --on_their_way_;
  }
  return flow;
}

void OpenMessages::keep(const Open& open) {
  if (by_key_.size() == kMost) forget(open_.begin());
  by_key_[open.key] = open_.insert(open_.end(), open);
  if (!open.has_arrived) ++on_their_way_;
}

void OpenMessages::forget(Opens::iterator open) {
  if (open->has_left && !open->has_arrived) --on_their_way_;
  by_key_.erase(open->key);
  open_.erase(open);
}

}  // namespace evt::view
