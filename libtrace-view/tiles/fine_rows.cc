#include "fine_rows.h"

#include <utility>

namespace evt::view {

FineRows::FineRows(Timeline timeline, const Scale& scale, Limits limits)
    : timeline_(std::move(timeline)), rows_(timeline_, scale), limits_(limits), until_ns_(timeline_.first_ns()) {}

bool FineRows::go_on(std::size_t items) {
  const TimelineItem* item = nullptr;
  for (; items > 0 && (item = timeline_.next()) != nullptr; --items) {
    rows_.take(*item);
    until_ns_ = item->ns;
  }
  is_complete_ = items > 0;
  while (rows_.scale().level() < limits_.level && rows_.size() > limits_.most) rows_.coarsen();
  return !is_complete_;
}

}  // namespace evt::view
