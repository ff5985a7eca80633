// evt stats stops: stops of processes.
#include <evt/analysis/process_stops.h>
#include <fmt/core.h>

#include "libtrace-read/report/shared/analysis.h"

namespace evt::report {
namespace {

class StopsAnalysis : public CopiedAnalysis<StopsAnalysis> {
 public:
  explicit StopsAnalysis(const AnalysisInput& input)
      : timeline_(input.timeline),
        session_(input.timeline.actors().session()),
        is_part_(input.is_part),
        has_filter_(input.has_filter),
        stops_(session_) {}

  RoleSet rows() const override { return {}; }
  void take(const TimelineItem& item) override { stops_.take(item); }
  void restart(std::int64_t ns) override { stops_.restart(ns); }

  Findings finish(TimeRange range) override {
    Findings findings;
    const ProcessStops::Process& all = stops_.all();
    // For a part of the time, "there was none" is the answer.
    if (all.stops > 0 || (is_part_ && !has_filter_)) {
      findings.tables = {whole(range), processes(range), stops()};
    } else {
      findings.set_nothing("no event records that a process was stopped (role stopped)");
    }
    if (all.stops > stops_.stops().size()) {
      findings.notes.push_back(
          fmt::format("{} stops are counted, and the first {} listed", all.stops, stops_.stops().size()));
    }
    return findings;
  }

 private:
  Table whole(TimeRange range) const {
    const ProcessStops::Process& all = stops_.all();
    const std::uint64_t ns = length_of(range);
    return new_facts("stops", "stopped", {ns, all.stops, all.ns, percent_of(all.ns, ns), all.suspended_ns});
  }

  Table processes(TimeRange range) const {
    Table table = new_table("stops", "processes");
    if (session_.parts.empty()) return table;
    for (const ProcessStops::Process& process : stops_.processes()) {
      table.add({process_cell(process.part), process.stops, process.ns, percent_of(process.ns, length_of(range)),
                 process.suspended_ns});
    }
    return table;
  }

  Table stops() const {
    Table table = new_table("stops", "stops");
    std::uint64_t number = 0;
    for (const ProcessStops::Stop& stop : stops_.stops()) {
      const Cell cause = stop.cause != EventNames::kNone ? Cell(timeline_.names().text(stop.cause)) : Cell();
      table.add({++number, process_cell(stop.part), stop.began_ns, stop.is_open ? Cell() : Cell(stop.ended_ns),
                 length_of({stop.began_ns, stop.ended_ns}), cause, stop.suspended_ns});
    }
    table.set_of_single_things();
    return table;
  }

  Cell process_cell(std::uint32_t part) const { return part != Actor::kNone ? Cell(session_.part_name(part)) : Cell(); }

  Timeline& timeline_;
  const Session& session_;
  bool is_part_;
  bool has_filter_;
  ProcessStops stops_;
};

}  // namespace

std::unique_ptr<Analysis> make_stops(const AnalysisInput& input) { return std::make_unique<StopsAnalysis>(input); }

}  // namespace evt::report
