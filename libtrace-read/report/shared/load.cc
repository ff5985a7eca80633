#include "load.h"

#include <algorithm>

#include "analysis.h"

namespace evt::report {

ItemKinds Load::items() {
  ItemKinds items = CpuTime::items();
  return items |= {ItemKind::kRow};
}

void Load::take(const TimelineItem& item) {
  if (!moments_.empty()) reach(item.ns);
  if (item.kind != ItemKind::kRow) return time_.take(item);
  if (item.is_wanted) counts_.take(*item.event);
}

void Load::begin(std::int64_t ns) { moments_ = {moment(ns)}; }

Load::Moment Load::moment(std::int64_t ns) const {
  Moment at{ns, 0, counts_.all(), {}};
  for (const CpuTime::Cell& cell : time_.cells(ns)) {
    at.running_ns += cell.ns;
    const bool is_one = cell.thread != Actor::kOthers;
    if (is_one && actors_->threads()[cell.thread].number == 0) at.perhaps_idle_ns[cell.thread] += cell.ns;
  }
  return at;
}

std::uint64_t Load::running_ns(const Moment& at) const {
  std::uint64_t ns = at.running_ns;
  for (const auto& [thread, idle_ns] : at.perhaps_idle_ns) ns -= actors_->threads()[thread].is_idle ? idle_ns : 0;
  return ns;
}

std::int64_t Load::next_ns() const {
  std::int64_t next = 0;
  return __builtin_add_overflow(moments_.back().ns, length_ns_, &next) ? INT64_MAX : next;
}

void Load::reach(std::int64_t ns) {
  if (ns < next_ns()) return;
  const auto steps = [&] { return length_of({moments_.front().ns, ns}) / static_cast<std::uint64_t>(length_ns_); };
  while (steps() >= kMost && length_ns_ < INT64_MAX / 2) {
    length_ns_ *= 2;
    for (std::size_t i = 1; 2 * i < moments_.size(); ++i) moments_[i] = std::move(moments_[2 * i]);
    moments_.resize((moments_.size() + 1) / 2);
  }
  while (next_ns() <= ns && next_ns() != INT64_MAX) moments_.push_back(moment(next_ns()));
}

Table Load::table(std::int64_t to_ns) const {
  Table table = new_table("overview", "load");
  table.set_over_time();
  Load all = *this;
  all.reach(to_ns);
  const bool is_begun = all.moments_.back().ns == to_ns && all.moments_.size() > 1;
  is_begun ? all.moments_.back() = moment(to_ns) : all.moments_.emplace_back(moment(to_ns));
  for (std::size_t i = 1; i < all.moments_.size(); ++i) {
    const Moment& from = all.moments_[i - 1];
    const Moment& to = all.moments_[i];
    const auto ns = static_cast<double>(length_of({from.ns, to.ns}));
    const std::uint64_t ran_ns = running_ns(to) - std::min(running_ns(to), running_ns(from));
    table.add({from.ns, to.ns, ns > 0 ? static_cast<double>(ran_ns) / ns : 0, to.events - from.events});
  }
  return table;
}

}  // namespace evt::report
