#include "fine_rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace evt::view {
namespace {

// Each keeps what is open and on its way, and of each thread and object that ever was a little.
constexpr std::size_t kMostMarks = 32;
constexpr std::size_t kMostMet = std::size_t{1} << 18;  // of all marks

}  // namespace

// If there are too many every other one goes.
void RowMarks::add(std::uint64_t items, Timeline& timeline, const Rows& rows, const OpenFlows& flows) {
  std::optional<Timeline::Mark> mark = timeline.mark();
  if (!mark) return;
  next_ = items + distance_;
  auto at = std::make_unique<const Rows>(rows, timeline, Scale(0, 1, 1));
  auto open = std::make_unique<const OpenFlows>(flows, timeline.actors(), at->lives());
  marks_.push_back({std::move(*mark), std::move(at), std::move(open)});
  const std::size_t met = rows.met() + flows.size();
  if (marks_.size() < std::max<std::size_t>(4, std::min(kMostMarks, kMostMet / (met + 1)))) return;
  std::vector<Mark> kept;
  for (std::size_t i = 1; i < marks_.size(); i += 2) kept.push_back(std::move(marks_[i]));
  marks_ = std::move(kept);
  distance_ *= 2;
}

const RowMarks::Mark* RowMarks::before(std::int64_t ns) const {
  const auto behind =
      std::partition_point(marks_.begin(), marks_.end(), [&](const Mark& mark) { return mark.timeline.ns() < ns; });
  return behind == marks_.begin() ? nullptr : &*std::prev(behind);
}

FineRows::FineRows(Timeline timeline, const Scale& scale, Limits limits)
    : timeline_(std::move(timeline)), rows_(timeline_, scale), limits_(limits), until_ns_(timeline_.first_ns()) {
  if (limits.has_marks) flows_ = std::make_unique<OpenFlows>(timeline_.actors(), rows_.lives());
}

FineRows::FineRows(SessionStart start, std::int64_t from_ns, const Scale& scale, Limits limits)
    : timeline_(std::move(start.timeline)), rows_(timeline_, scale), limits_(limits), until_ns_(from_ns) {}

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
