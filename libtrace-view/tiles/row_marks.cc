#include "row_marks.h"

#include <algorithm>
#include <iterator>

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

}  // namespace evt::view
