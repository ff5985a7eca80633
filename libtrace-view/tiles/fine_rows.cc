#include "fine_rows.h"

#include <algorithm>
#include <utility>

namespace evt::view {

FineRows::FineRows(Timeline timeline, const Scale& scale, Limits limits)
    : timeline_(std::move(timeline)), rows_(timeline_, scale), limits_(limits), until_ns_(timeline_.first_ns()) {
  if (limits.has_marks) flows_ = std::make_unique<OpenFlows>(timeline_.actors(), rows_.lives());
}

FineRows::FineRows(Timeline timeline, const Rows& from, const Scale& scale, Limits limits)
    : timeline_(std::move(timeline)), rows_(from, timeline_, scale), limits_(limits), until_ns_(timeline_.first_ns()) {}

bool FineRows::go_on(std::size_t items) {
  const OpenFlows::Completed ignored = [](const Flow&) {};
  const TimelineItem* item = nullptr;
  for (; items > 0 && (item = timeline_.next()) != nullptr; --items) {
    rows_.take(*item);
    until_ns_ = item->ns;
    ++items_;
    if (flows_ == nullptr) continue;
    flows_->take(*item, true, ignored);
    marks_.note(items_, timeline_, rows_, *flows_);
  }
  is_complete_ = items > 0;
  if (rows_.size() > limits_.most) coarsen();
  return !is_complete_;
}

// Several times at once where little was read, and the columns would be too narrow again soon.
void FineRows::coarsen() {
  const Scale& scale = rows_.scale();
  const double read = static_cast<double>(scale.column_of(until_ns_) + 1) / static_cast<double>(scale.columns());
  const double room = static_cast<double>(limits_.most) * std::clamp(4 * read, 0.125, 1.0);
  while (scale.level() < limits_.level && static_cast<double>(rows_.size()) > room) rows_.coarsen();
}

}  // namespace evt::view
