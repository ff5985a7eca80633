#include <evt/analysis/call_counts.h>
#include <evt/saturating_add.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace evt {
namespace {

// Numbers of an array; none if the event has no such field.
std::vector<std::uint64_t> numbers_of(const Event& event, std::string_view name) {
  std::vector<std::uint64_t> numbers;
  const auto value = event.value(name);
  if (!value || !value->is_sequence()) return numbers;
  value->for_each([&](const Value& element) { numbers.push_back(element.as_unsigned()); });
  return numbers;
}

std::uint64_t number_of(const Event& event, std::string_view name) {
  const auto value = event.value(name);
  return value && !value->is_sequence() ? value->as_unsigned() : 0;
}

void add_lengths(const Event& event, std::vector<CallCounts::Row::Length>* lengths) {
  const std::vector<std::uint64_t> ns = numbers_of(event, "lengths");
  const std::vector<std::uint64_t> times = numbers_of(event, "times");
  for (std::size_t i = 0; i < std::min(ns.size(), times.size()); ++i) {
    const auto at = std::ranges::lower_bound(*lengths, ns[i], {}, &CallCounts::Row::Length::ns);
    if (at != lengths->end() && at->ns == ns[i]) {
      saturating_add(&at->calls, times[i]);
    } else {
      lengths->insert(at, {ns[i], times[i]});
    }
  }
}

void add(const CallCounts::Row& from, CallCounts::Row* to) {
  if (from.returned > 0) {
    to->min_ns = to->returned > 0 ? std::min(to->min_ns, from.min_ns) : from.min_ns;
    to->max_ns = std::max(to->max_ns, from.max_ns);
  }
  saturating_add(&to->calls, from.calls);
  saturating_add(&to->returned, from.returned);
  saturating_add(&to->timed, from.timed);
  saturating_add(&to->sum_ns, from.sum_ns);
}

}  // namespace

// Each timed call represents the same number of calls: this is the variance of a sum over a random choice.
std::uint64_t CallCounts::Row::error_ns() const {
  if (timed == 0 || timed >= returned) return 0;
  double squares = 0;
  for (const Length& length : lengths) {
    squares += static_cast<double>(length.calls) * static_cast<double>(length.ns) * static_cast<double>(length.ns);
  }
  const double untimed = static_cast<double>(returned) / static_cast<double>(timed) - 1;
  return static_cast<std::uint64_t>(std::min(std::sqrt(squares * untimed), 1e19));
}

std::uint64_t CallCounts::Row::quantile(double part) const {
  std::uint64_t all = 0;
  for (const Length& length : lengths) saturating_add(&all, length.calls);
  const double wanted = part * static_cast<double>(all);
  std::uint64_t so_far = 0;
  for (const Length& length : lengths) {
    saturating_add(&so_far, length.calls);
    if (static_cast<double>(so_far) >= wanted && length.calls > 0)
      return std::clamp(length.ns, min_ns, std::max(min_ns, max_ns));
  }
  return 0;
}

class CallCounts::Impl {
 public:
  Impl(Timeline& timeline, const Keep& keep) : timeline_(&timeline), keep_(keep) {}

  void take(const TimelineItem& item) {
    if (item.kind == ItemKind::kFold) return fold(*item.event->fold);
    if (item.kind != ItemKind::kRow || item.event->role != Role::kCallCounts || !item.is_wanted) return;
    if (item.event->lost || item.event->event == nullptr) return;
    const Event& event = *item.event->event;
    EventNames& names = timeline_->names();
    Row counted;
    if (keep_.thread) counted.thread = item.event->thread;
    counted.function = names.of(event, Role::kFunction);
    counted.library = names.said_by(event, Role::kResource);
    if (keep_.caller) counted.caller = names.said_by(event, Role::kCaller);
    counted.calls = event.number(Role::kValue).value_or(0);
    counted.returned = number_of(event, "returned");
    counted.timed = std::min(counted.returned, event.value("timed") ? number_of(event, "timed") : counted.returned);
    counted.sum_ns = event.number(Role::kDuration).value_or(0);
    counted.min_ns = number_of(event, "shortest");
    counted.max_ns = number_of(event, "longest");
    Row& row = row_of(counted);
    add(counted, &row);
    add_lengths(event, &row.lengths);
  }

  void restart() {
    rows_.clear();
    places_.clear();
  }

  Row& row_of(const Row& like) {
    const auto [place, is_new] =
        places_.try_emplace(std::array{like.thread, like.function, like.library, like.caller}, rows_.size());
    if (is_new) {
      Row& row = rows_.emplace_back();
      row.thread = like.thread;
      row.function = like.function;
      row.library = like.library;
      row.caller = like.caller;
    }
    return rows_[place->second];
  }

  void fold(const FoldedActors& gone) {
    std::vector<Row> rows = std::move(rows_);
    restart();
    for (Row& row : rows) {
      if (row.thread != Actor::kNone) row.thread = gone(row.thread);
      Row& sum = row_of(row);
      add(row, &sum);
      for (const Row::Length& length : row.lengths) sum.lengths.push_back(length);
      std::ranges::sort(sum.lengths, {}, &Row::Length::ns);
    }
  }

  Timeline* timeline_;
  Keep keep_;
  std::vector<Row> rows_;
  std::map<std::array<std::uint32_t, 4>, std::size_t> places_;  // thread, function, library, caller
};

CallCounts::CallCounts(Timeline& timeline, const Keep& keep) : impl_(std::make_unique<Impl>(timeline, keep)) {}

void CallCounts::take(const TimelineItem& item) { impl_->take(item); }
void CallCounts::restart() { impl_->restart(); }
const std::vector<CallCounts::Row>& CallCounts::rows() const { return impl_->rows_; }

}  // namespace evt
