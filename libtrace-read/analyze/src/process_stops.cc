#include <evt/analysis/process_stops.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "parts.h"

namespace evt {

class ProcessStops::Impl {
 public:
  explicit Impl(const Session& session) : of_parts_(session.parts.size() + 1) {
    for (std::uint32_t i = 0; i < of_parts_.size(); ++i) of_parts_[i].sum.part = i - 1;
  }

  void take(const TimelineItem& item) {
    if (!item.is_wanted) return;
    if (item.kind == ItemKind::kStopBegan) begin(item);
    if (item.kind == ItemKind::kStopEnded) end(item);
  }

  void restart(std::int64_t ns) {
    counted_from_ = ns;
    stops_.clear();
    for (OfPart& part : of_parts_) part.sum = {part.sum.part, 0, 0, 0};
    all_ = {};
  }

  std::vector<Process> processes() const {
    std::vector<Process> found;
    for (const OfPart& part : of_parts_) {
      if (part.sum.stops > 0) found.push_back(part.sum);
    }
    return found;
  }

  struct OfPart {
    Process sum;
    std::multimap<std::int64_t, Stop> open;  // by their begins
    std::int64_t since_ns = 0;
  };

  void begin(const TimelineItem& item) {
    OfPart& part = of_parts_[item.part + std::uint32_t{1}];
    if (part.open.empty()) {
      part.since_ns = item.ns;
      if (stopped_parts_++ == 0) any_since_ns_ = item.ns;
    }
    part.open.insert({item.began_ns, {item.part, item.name, item.ns, item.ns, item.value, false}});
  }

  void end(const TimelineItem& item) {
    OfPart& part = of_parts_[item.part + std::uint32_t{1}];
    if (part.open.empty()) return;
    const auto [first, last] = part.open.equal_range(item.began_ns);
    auto at = std::find_if(first, last, [&](const auto& each) {
      return each.second.cause == item.name && each.second.suspended_ns == item.value;
    });
    // What is open at the end has no event.
    if (item.is_open || at == last) at = std::prev(part.open.end());
    Stop stop = at->second;
    part.open.erase(at);
    // A stop that only touches the counted range has no part in it; one of zero length is in it.
    const bool has_length = item.is_open || stop.began_ns < item.ns;
    stop.began_ns = std::max(stop.began_ns, counted_from_);
    stop.ended_ns = item.ns;
    stop.is_open = item.is_open;
    if (stop.began_ns < stop.ended_ns || !has_length) count(stop, &part.sum);
    if (!part.open.empty()) return;
    add_time(part.since_ns, item.ns, &part.sum);
    if (--stopped_parts_ == 0) add_time(any_since_ns_, item.ns, &all_);
  }

  void count(const Stop& stop, Process* of_part) {
    for (Process* const sum : {of_part, &all_}) {
      ++sum->stops;
      sum->suspended_ns += stop.suspended_ns;
    }
    if (stops_.size() < kMaxStops) stops_.push_back(stop);
  }

  void add_time(std::int64_t from_ns, std::int64_t to_ns, Process* sum) const {
    from_ns = std::max(from_ns, counted_from_);
    if (to_ns > from_ns) sum->ns += length(from_ns, to_ns);
  }

  std::vector<OfPart> of_parts_;  // the first for processes without one
  std::vector<Stop> stops_;
  Process all_;
  std::uint32_t stopped_parts_ = 0;
  std::int64_t any_since_ns_ = 0;
  std::int64_t counted_from_ = INT64_MIN;
};

ProcessStops::ProcessStops(const Session& session) : impl_(std::make_unique<Impl>(session)) {}

void ProcessStops::take(const TimelineItem& item) { impl_->take(item); }
void ProcessStops::restart(std::int64_t ns) { impl_->restart(ns); }
const std::vector<ProcessStops::Stop>& ProcessStops::stops() const { return impl_->stops_; }
std::vector<ProcessStops::Process> ProcessStops::processes() const { return impl_->processes(); }
const ProcessStops::Process& ProcessStops::all() const { return impl_->all_; }

}  // namespace evt
