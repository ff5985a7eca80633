// evt stats counters: what counters were.
#include <evt/analysis/counter_values.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "libtrace-read/report/shared/analysis.h"

namespace evt::report {
namespace {

constexpr double kWhole = 9'007'199'254'740'992;  // 2^53: below, a double has each whole number

// As people see values of this unit; whole numbers of none without a point.
Cell value_cell(double value, const std::string& unit) {
  if (unit == "ns") return Cell(value).as(CellKind::kDuration);
  if (unit == "B") return Cell(value).as(CellKind::kBytes);
  const bool is_whole = std::abs(value) < kWhole && value == std::trunc(value);
  return is_whole ? Cell(static_cast<std::int64_t>(value)).as(CellKind::kCount) : Cell(value);
}

class CountersAnalysis : public CopiedAnalysis<CountersAnalysis> {
 public:
  explicit CountersAnalysis(const AnalysisInput& input)
      : no_event_(input.no_event()),
        has_filter_(input.has_filter),
        values_(input.timeline.actors().session(), input.timeline.names()) {}

  ItemKinds items() const override { return CounterValues::items(); }
  RoleSet rows() const override { return {Role::kCounter, Role::kCounterTotal, Role::kCounterDelta}; }
  void take(const TimelineItem& item) override { values_.take(item); }
  void restart(std::int64_t ns) override { values_.restart(ns); }

  Findings finish(TimeRange range) override {
    Findings findings;
    std::vector<CounterValues::Row> rows = values_.rows(range.to_ns, !has_filter_);
    if (rows.empty()) {
      findings.set_nothing(std::string(no_event_) +
                           " has the value of a counter (roles counter, counterTotal, "
                           "counterDelta)");
      return findings;
    }
    std::ranges::stable_sort(rows, {},
                             [](const CounterValues::Row& row) { return std::pair(row.name, row.stream->id); });
    Table table = new_table("counters", "counters");
    for (const CounterValues::Row& row : rows) {
      const auto number = [&](double value) { return value_cell(value, row.unit); };
      const double seconds = static_cast<double>(row.grew_ns) / 1e9;
      const Cell growth = row.growth ? number(*row.growth) : Cell();
      const Cell rate = row.growth && seconds > 0 ? Cell(*row.growth / seconds).as(CellKind::kRate) : Cell();
      table.add({row.name, std::uint64_t{row.stream->id}, row.stream->name, row.unit.empty() ? Cell() : Cell(row.unit),
                 row.events, number(row.least), number(row.mean), number(row.most), number(row.last), growth, rate,
                 row.resets});
    }
    findings.tables.push_back(std::move(table));
    return findings;
  }

 private:
  const char* no_event_;
  bool has_filter_;
  CounterValues values_;
};

}  // namespace

std::unique_ptr<Analysis> make_counters(const AnalysisInput& input) {
  return std::make_unique<CountersAnalysis>(input);
}

}  // namespace evt::report
