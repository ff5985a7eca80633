#include "mutator_utilization.h"

#include <evt/analysis/collections.h>

#include <algorithm>

#include "parts.h"

namespace evt {

MutatorUtilization::MutatorUtilization() {
  for (const std::int64_t ns : Collections::windows()) windows_.push_back({ns});
}

// Move a window through time: its stopped part grows while its end is in a stop and its begin is not, and shrinks the
// other way round. So it is largest where the end leaves a stop, where the begin enters one, or at the end of the
// range.
void MutatorUtilization::add(std::int64_t from_ns, std::int64_t to_ns) {
  if (has_too_many_) return;
  from_ns_ = std::min(from_ns_, from_ns);
  const std::uint64_t before_ns = stops_.empty() ? 0 : stopped_until(from_ns);
  stops_.push_back({from_ns, to_ns, before_ns});
  for (Window& window : windows_) {
    if (to_ns - from_ns_ >= window.ns) {
      window.most_ns = std::max(window.most_ns, stopped_until(to_ns) - stopped_until(to_ns - window.ns));
    }
    judge_begun(&window, to_ns);
  }
  forget();
}

void MutatorUtilization::judge_begun(Window* window, std::int64_t until_ns) const {
  for (; window->next < first_ + stops_.size(); ++window->next) {
    const Stop& stop = stops_[static_cast<std::size_t>(window->next - first_)];
    if (until_ns - stop.from_ns < window->ns) return;
    window->most_ns = std::max(window->most_ns, stopped_until(stop.from_ns + window->ns) - stop.before_ns);
  }
}

std::uint64_t MutatorUtilization::stopped_until(std::int64_t ns) const {
  const auto behind = std::ranges::partition_point(stops_, [&](const Stop& stop) { return stop.from_ns < ns; });
  if (behind == stops_.begin()) return behind == stops_.end() ? 0 : behind->before_ns;
  const Stop& last = *(behind - 1);
  return last.before_ns + length(last.from_ns, std::min(last.to_ns, ns));
}

// Drops stops that no later window reaches.
void MutatorUtilization::forget() {
  const std::int64_t end_ns = stops_.back().to_ns;
  while (stops_.size() > 1 && end_ns - stops_.front().to_ns > windows_.back().ns &&
         std::ranges::all_of(windows_, [&](const Window& window) { return window.next > first_; })) {
    stops_.pop_front();
    ++first_;
  }
  has_too_many_ = stops_.size() > kMost;
  if (has_too_many_) stops_.clear();
}

std::vector<std::optional<std::uint64_t>> MutatorUtilization::most_stopped(std::int64_t to_ns) const {
  std::vector<std::optional<std::uint64_t>> most;
  for (Window window : windows_) {
    const bool fits = !has_too_many_ && from_ns_ < to_ns && to_ns - from_ns_ >= window.ns;
    if (fits) {
      judge_begun(&window, to_ns);
      if (!stops_.empty()) {
        window.most_ns = std::max(window.most_ns, stopped_until(to_ns) - stopped_until(to_ns - window.ns));
      }
    }
    most.push_back(fits ? std::optional(window.most_ns) : std::nullopt);
  }
  return most;
}

}  // namespace evt
