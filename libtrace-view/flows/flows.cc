#include "flows.h"

#include <algorithm>
#include <utility>

namespace evt::view {

Flows::Flows(Actors& actors, Options options)
    : options_(std::move(options)), scale_(0, 1, 1), lives_(actors, scale_), open_(actors, lives_) {}

Flows::Flows(Actors& actors, const Moment& from, Options options)
    : options_(std::move(options)), scale_(0, 1, 1), lives_(actors, scale_), open_(from.open, actors, lives_) {
  lives_.go_on_from(from.lives);
}

void Flows::take(const TimelineItem& item) {
  is_behind_ = is_behind_ || item.ns > options_.range.to_ns;
  lives_.take(item);
  open_.take(item, !is_behind_, [this](const Flow& flow) { add(flow); });
}

void Flows::finish() {
  open_.finish([this](const Flow& flow) { add(flow); });
}

void Flows::add(const Flow& flow) {
  const auto [first_ns, last_ns] = std::minmax(flow.from.ns, flow.to.ns);
  if (last_ns < options_.range.from_ns || first_ns > options_.range.to_ns) return;
  if (options_.wanted && !options_.wanted(flow)) return;
  if (flows_.size() < options_.most) {
    flows_.push_back(flow);
  } else {
    ++more_;
  }
}

}  // namespace evt::view
