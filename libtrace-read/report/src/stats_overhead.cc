// evt stats overhead: the cost of tracing itself.
#include <evt/analysis/overhead.h>
#include <fmt/core.h>

#include <algorithm>

#include "libtrace-read/report/shared/analysis.h"

namespace evt::report {
namespace {

constexpr const char* kNoCost =
    "the cost of emitting an event is not known: give the option cost, in ns, as measured on the same machine";

// Without events of the tracer.
void add_not_told(const char* no_event, bool has_events, Findings* findings) {
  std::string sentence = fmt::format("{} has role overhead: the tracer's own waits and writes are not known", no_event);
  has_events ? findings->notes.push_back(std::move(sentence)) : findings->set_nothing(std::move(sentence));
}

// Without those and a cost nothing is known, whatever the number of events.
Findings nothing_known(const char* no_event, bool has_events) {
  Findings findings;
  add_not_told(no_event, has_events, &findings);
  findings.add_missing(kNoCost);
  return findings;
}

class OverheadAnalysis : public CopiedAnalysis<OverheadAnalysis> {
 public:
  explicit OverheadAnalysis(const AnalysisInput& input)
      : timeline_(input.timeline),
        actors_(input.timeline.actors()),
        no_event_(input.no_event()),
        cost_ps_(input.options.cost_ps),
        overhead_(input.timeline) {}

  ItemKinds items() const override { return {ItemKind::kRow, ItemKind::kLost, ItemKind::kFold}; }
  void take(const TimelineItem& item) override { overhead_.take(item); }
  void restart(std::int64_t ns) override { overhead_.restart(ns); }

  Findings finish(TimeRange range) override {
    if (!cost_ps_ && !is_told()) return nothing_known(no_event_, has_events());
    Findings findings;
    findings.tables.push_back(whole());
    findings.tables.push_back(reasons(range));
    findings.tables.push_back(streams(range));
    add_notes(&findings);
    add_others(actors_, &findings);
    return findings;
  }

 private:
  bool is_told() const {
    const std::vector<Overhead::Stall>& stalls = overhead_.stalls();
    return overhead_.doubts().without_duration > 0 ||
           std::ranges::any_of(stalls, [](const Overhead::Stall& stall) { return stall.lengths.count() > 0; });
  }

  bool has_events() const {
    return std::ranges::any_of(overhead_.emitted(), [](const Overhead::Emitted& each) { return each.events > 0; });
  }

  std::uint64_t cost_ns(std::uint64_t events) const {
    const std::uint64_t ps = cost_ps_.value_or(0);
    return events / 1000 * ps + events % 1000 * ps / 1000;
  }

  Table whole() const {
    std::uint64_t events = 0;
    std::uint64_t reported = 0;
    for (const Overhead::Emitted& each : overhead_.emitted()) events += each.events;
    for (const Overhead::Stall& each : overhead_.stalls()) reported += each.lengths.sum();
    const Cell calibrated = cost_ps_ ? Cell(cost_ns(events)) : Cell();
    return new_facts("overhead", "overhead", {events, calibrated, reported, reported + cost_ns(events)});
  }

  // The emitter, as the last cells of a row's key.
  void add_emitter(const Overhead::Emitter& who, Table::Row* row) const {
    const bool runs = who.thread != Actor::kNone;
    row->push_back(std::uint64_t{who.stream->id});
    row->push_back(who.stream->name);
    row->push_back(runs ? actor_cell(actors_, actors_.threads(), who.thread) : Cell());
    row->push_back(runs ? actor_name(actors_.threads(), who.thread) : Cell());
  }

  Table reasons(TimeRange range) const {
    Table table = new_table("overhead", "reasons");
    for (const Overhead::Stall& stall : overhead_.stalls()) {
      const Histogram& of = stall.lengths;
      if (of.count() == 0) continue;
      Table::Row row = {timeline_.names().text(stall.reason)};
      add_emitter(stall.of, &row);
      row.insert(row.end(), {of.count(), of.sum(), percent_of(of.sum(), length_of(range)), of.quantile(0.5),
                             of.quantile(0.99), of.max()});
      table.add(std::move(row));
    }
    table.sort_by_keys();
    table.sort(*table.column("sum"), false);
    for (const char* const column : {"name", "thread", "thread name"}) hide_if_empty(column, &table);
    return table;
  }

  Table streams(TimeRange range) const {
    Table table = new_table("overhead", "emitting");
    for (const Overhead::Emitted& each : overhead_.emitted()) {
      if (each.events == 0) continue;
      Table::Row row;
      add_emitter(each.by, &row);
      row.push_back(each.events);
      row.push_back(cost_ps_ ? Cell(cost_ns(each.events)) : Cell());
      row.push_back(cost_ps_ ? percent_of(cost_ns(each.events), length_of(range)) : Cell());
      table.add(std::move(row));
    }
    table.sort_by_keys();
    table.sort(*table.column("events"), false);
    if (!cost_ps_) {
      for (const char* const column : {"emitting", "%"}) table.hide(column);
    }
    for (const char* const column : {"name", "thread", "thread name"}) hide_if_empty(column, &table);
    return table;
  }

  // 0 is a thread too, so only empty cells count as none.
  static void hide_if_empty(const char* name, Table* table) {
    const std::size_t column = *table->column(name);
    for (const Table::Row& row : table->rows()) {
      const std::string* const text = row[column].text();
      if (text != nullptr ? !text->empty() : !row[column].is_empty()) return;
    }
    table->hide_if_empty(name);
  }

  void add_notes(Findings* findings) const {
    const Overhead::Doubts& doubts = overhead_.doubts();
    std::vector<std::string>* const notes = &findings->notes;
    if (!is_told()) {
      add_not_told(no_event_, has_events(), findings);
      findings->is_partial = !cost_ps_;
    }
    if (!cost_ps_) notes->emplace_back(kNoCost);
    if (doubts.without_duration > 0) {
      notes->push_back(fmt::format("{} of role overhead without a duration that has a unit of time: not counted",
                                   counted(doubts.without_duration, "event")));
    }
    if (doubts.negative > 0) {
      notes->push_back(
          fmt::format("{} of role overhead with a negative duration: counted as 0", counted(doubts.negative, "event")));
    }
    if (doubts.clipped > 0) {
      notes->push_back(
          fmt::format("{} of role overhead began before the requested time: counted from the start of that time",
                      counted(doubts.clipped, "event")));
    }
    if (doubts.losses > 0) {
      notes->push_back(fmt::format("events were lost {}: what those took is not counted",
                                   doubts.losses == 1 ? "once" : fmt::format("{} times", doubts.losses)));
    }
  }

  Timeline& timeline_;
  const Actors& actors_;
  const char* no_event_;
  std::optional<std::uint64_t> cost_ps_;
  Overhead overhead_;
};

}  // namespace

std::unique_ptr<Analysis> make_overhead(const AnalysisInput& input) {
  return std::make_unique<OverheadAnalysis>(input);
}

std::optional<Findings> overhead_of_index(const Session& session, TimeRange, const AnalysisOptions& options) {
  if (options.cost_ps || may_have(session, {Role::kOverhead})) return std::nullopt;
  return nothing_known(kNoEvent, session.rows > 0);
}

}  // namespace evt::report
