#include <evt/analysis/counter_values.h>

#include <algorithm>

#include "parts.h"

namespace evt {

class CounterValues::Impl {
 public:
  Impl(const Session& session, EventNames& names) : counters_(session, names) {}

  void take(const TimelineItem& item) {
    const std::uint32_t which = counters_.take(item);
    if (which == Counters::kNone) return;
    const bool is_new = which >= values_.size();
    if (is_new) values_.resize(which + std::size_t{1});
    Values& values = values_[which];
    const double value = counters_.all()[which].value;
    if (is_new) {
      values.begin(value, item.ns);
      // A delta is itself growth: before it there was nothing.
      if (item.event->role == Role::kCounterDelta) values.growth = value;
    }
    values.grows = item.event->role != Role::kCounter;
    values.growth += item.event->role == Role::kCounterTotal ? values.counted_until(value) : value - values.now;
    values.become(value, item.ns);
    values.events += item.is_wanted ? 1 : 0;
  }

  void restart(std::int64_t ns) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const bool grows = values_[i].grows;
      values_[i] = Values();
      values_[i].begin(counters_.all()[i].value, ns);
      values_[i].grows = grows;
    }
  }

  std::vector<Row> rows(std::int64_t ns, bool all) const {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].events == 0 && !all) continue;
      Values values = values_[i];
      const Counters::Counter& counter = counters_.all()[i];
      values.become(counter.value, ns);
      const std::uint64_t known_ns = length(values.since_ns, ns);
      Row row{counter.stream, counter.name, counter.unit, values.events, values.least, values.most, 0, counter.value};
      row.mean = known_ns > 0 ? values.area / static_cast<double>(known_ns) : counter.value;
      row.grew_ns = known_ns;
      if (values.grows) row.growth = values.growth;
      row.resets = values.resets;
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  struct Values {
    std::uint64_t events = 0;
    bool grows = false;
    double growth = 0;
    std::uint64_t resets = 0;
    double least = 0;
    double most = 0;
    double now = 0;
    double area = 0;  // value times ns, until:
    std::int64_t at_ns = 0;
    std::int64_t since_ns = 0;

    void begin(double value, std::int64_t ns) {
      least = most = now = value;
      at_ns = since_ns = ns;
    }
    // The growth of a total since its last value. One that falls was reset and counts from 0 again.
    double counted_until(double total) {
      if (total >= now) return total - now;
      ++resets;
      return std::max(total, 0.0);
    }
    void become(double value, std::int64_t ns) {
      area += now * static_cast<double>(length(at_ns, ns));
      at_ns = std::max(at_ns, ns);
      now = value;
      least = std::min(least, value);
      most = std::max(most, value);
    }
  };

  Counters counters_;
  std::vector<Values> values_;  // by the counters' indexes
};

CounterValues::CounterValues(const Session& session, EventNames& names)
    : impl_(std::make_unique<Impl>(session, names)) {}
void CounterValues::take(const TimelineItem& item) { impl_->take(item); }
void CounterValues::restart(std::int64_t ns) { impl_->restart(ns); }
std::vector<CounterValues::Row> CounterValues::rows(std::int64_t ns, bool all) const { return impl_->rows(ns, all); }

}  // namespace evt
