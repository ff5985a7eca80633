// evt stats spans: durations of things that begin and end.
#include <evt/analysis/spans.h>
#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "libtrace-read/report/shared/analysis.h"
#include "libtrace-read/report/shared/usage_tables.h"

namespace evt::report {
namespace {

constexpr double kTrim = 0.01;                                                          // at each end
constexpr std::size_t kOpenShown = 32;                                                  // per thread, the innermost
constexpr SpanKind kAllKinds[] = {SpanKind::kSpan, SpanKind::kCall, SpanKind::kAsync};  // in the order of the tables

Spans::Options options_of(const AnalysisOptions& options) {
  Spans::Options wanted;
  wanted.by_thread = std::ranges::find(options.by, "thread") != options.by.end();
  wanted.subtract_event_ps = options.subtracted_event_ps();
  wanted.longest = options.longest;
  return wanted;
}

std::string name_of_percentile(double percent) { return fmt::format("p{}", percent); }

// Those of each thread; in the order of the streams on which they began, and of the threads.
std::vector<Spans::Open> outermost_first(std::vector<Spans::Open> open, const ActorList& threads) {
  std::ranges::reverse(open);
  std::ranges::stable_sort(open, [&](const Spans::Open& a, const Spans::Open& b) {
    return a.stream->id != b.stream->id ? a.stream->id < b.stream->id : comes_before(threads, a.thread, b.thread);
  });
  return open;
}

// If it began before the range, both count from there on.
void add_place(const Spans::Place& place, const Actors& actors, std::int64_t from_ns, Table::Row* cells) {
  cells->push_back(place.ns);
  cells->push_back(std::max(place.began_ns, from_ns));
  cells->push_back(std::uint64_t{place.stream->id});
  cells->push_back(place.thread != Actor::kNone ? actor_cell(actors, actors.threads(), place.thread) : Cell());
}

// The order of rows in a table of lengths.
std::vector<std::size_t> by_self_time(const std::vector<Spans::Row>& rows, Timeline& timeline) {
  const EventNames& names = timeline.names();
  const ActorList threads = timeline.actors().threads();
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    if (rows[a].self_ns != rows[b].self_ns) return rows[a].self_ns > rows[b].self_ns;
    if (rows[a].name != rows[b].name) return names.text(rows[a].name) < names.text(rows[b].name);
    return rows[a].thread != rows[b].thread && comes_before(threads, rows[a].thread, rows[b].thread);
  });
  return order;
}

Table extremes_table(Timeline& timeline, const Spans& spans, std::int64_t from_ns) {
  Table table = new_table("spans", "extremes");
  for (const SpanKind kind : {SpanKind::kSpan, SpanKind::kCall, SpanKind::kAsync}) {
    const std::vector<Spans::Row>& rows = spans.rows(kind);
    for (const std::size_t i : by_self_time(rows, timeline)) {
      const Histogram& lengths = rows[i].lengths;
      if (lengths.count() == 0) continue;
      const std::uint64_t p99 = lengths.quantile(0.99);
      const auto add = [&](const char* which, const std::optional<Spans::Place>& place) {
        if (!place) return;
        Table::Row cells = {timeline.names().text(rows[i].name), word_of(kind), which};
        add_place(*place, timeline.actors(), from_ns, &cells);
        table.add(std::move(cells));
      };
      add("max", spans.at_most(kind, i, lengths.max()));
      if (p99 == lengths.max()) continue;
      add("above p99", spans.above(kind, i, p99));
      add("below p99", spans.at_most(kind, i, p99));
    }
  }
  table.set_of_single_things();
  return table;
}

Table longest_table(Timeline& timeline, const Spans& spans, std::int64_t from_ns) {
  Table table = new_table("spans", "longest");
  for (const Spans::Instance& each : spans.longest()) {
    Table::Row cells = {timeline.names().text(each.name), word_of(each.kind)};
    add_place(each.place, timeline.actors(), from_ns, &cells);
    cells.push_back(each.place.thread != Actor::kNone ? actor_name(timeline.actors().threads(), each.place.thread)
                                                      : Cell());
    cells.push_back(each.self_ns);
    cells.push_back(each.object != Actor::kNone
                        ? object_cell(timeline.actors().session(), timeline.names(), spans.objects()[each.object])
                        : Cell());
    table.add(std::move(cells));
  }
  table.set_of_single_things();
  return table;
}

class SpansAnalysis : public CopiedAnalysis<SpansAnalysis> {
 public:
  explicit SpansAnalysis(const AnalysisInput& input)
      : timeline_(input.timeline),
        actors_(input.timeline.actors()),
        options_(options_of(input.options)),
        percentiles_(input.options.percentiles),
        has_cost_(input.options.cost_ps.has_value()),
        spans_(input.timeline, options_) {}

  RoleSet rows() const override { return options_.subtract_event_ps ? RoleSet::all() : RoleSet(); }
  void take(const TimelineItem& item) override {
    spans_.take(item);
    doubts_.take(item);
  }
  void restart(std::int64_t ns) override {
    spans_.restart(ns);
    doubts_.restart(ns);
  }

  Findings finish(TimeRange range) override {
    Findings findings;
    const std::vector<Spans::Open> open = outermost_first(spans_.open(), actors_.threads());
    findings.tables.push_back(lengths(SpanKind::kSpan));
    findings.tables.push_back(lengths(SpanKind::kCall));
    findings.tables.push_back(async_lengths());
    findings.tables.push_back(open_table(open, range));
    findings.tables.push_back(extremes_table(timeline_, spans_, range.from_ns));
    if (options_.longest > 0) findings.tables.push_back(longest_table(timeline_, spans_, range.from_ns));
    const auto is_met = [&](SpanKind kind) {
      const SpanDoubts::Counts& counts = doubts_.of(kind);
      return counts.unmatched_ends > 0 || (kind == SpanKind::kAsync && counts.not_timed > 0) ||
             !findings.tables[static_cast<std::size_t>(kind)].rows().empty();
    };
    if (std::ranges::none_of(kAllKinds, is_met)) {
      findings.set_nothing("no event begins or ends a span or a call (roles spanBegin, span, callBegin, call ...)");
    }
    if (options_.subtract_event_ps && !has_cost_) {
      findings.notes.push_back(kOnlySelfReportedCost);
    }
    add_span_notes(doubts_, &findings.notes);
    add_span_notes(doubts_, SpanKind::kAsync, &findings.notes);
    if (timeline_.names().is_full()) findings.notes.push_back(kTooManyNames);
    if (options_.by_thread) add_others(actors_, &findings);
    return findings;
  }

 private:
  Table lengths(SpanKind kind) const {
    std::vector<const char*> keys = {kind == SpanKind::kSpan ? "name" : "function"};
    if (options_.by_thread) keys.insert(keys.end(), {"thread", "thread name"});
    Table table = new_table("spans", kind == SpanKind::kSpan ? "spans" : "calls", keys);
    std::vector<const Histogram*> shown;
    for (const Spans::Row& row : spans_.rows(kind)) {
      if (row.is_empty()) continue;
      table.add(cells_of(row));
      shown.push_back(&row.lengths);
    }
    add_percentiles(shown, &table);
    table.sort_by_keys();
    table.sort(*table.column("self"), false);
    if (!options_.subtract_event_ps) table.hide_if_empty("subtracted");
    return table;
  }

  Table::Row cells_of(const Spans::Row& row) const {
    Table::Row cells = {timeline_.names().text(row.name)};
    if (options_.by_thread) {
      cells.push_back(actor_cell(actors_, actors_.threads(), row.thread));
      cells.push_back(actor_name(actors_.threads(), row.thread));
    }
    cells.push_back(row.lengths.count());
    add_lengths({row.sum_ns, row.self_ns}, row.lengths, &cells);
    cells.push_back(row.subtracted_ns);
    cells.push_back(row.unfinished);
    cells.push_back(row.uncertain);
    cells.push_back(row.stopped_ns);
    return cells;
  }

  Table async_lengths() const {
    Table table = new_table("spans", "async");
    std::vector<const Histogram*> shown;
    for (const Spans::Row& row : spans_.rows(SpanKind::kAsync)) {
      if (row.is_empty()) continue;
      Table::Row cells = {timeline_.names().text(row.name), row.lengths.count()};
      add_lengths({row.sum_ns}, row.lengths, &cells);
      cells.push_back(row.unfinished);
      cells.push_back(row.uncertain);
      table.add(std::move(cells));
      shown.push_back(&row.lengths);
    }
    add_percentiles(shown, &table);
    table.sort_by_keys();
    table.sort(*table.column("sum"), false);
    return table;
  }

  // Adds `sums`, and the values from the shortest to the longest; nothing if none has ended.
  static void add_lengths(std::initializer_list<std::uint64_t> sums, const Histogram& of, Table::Row* cells) {
    const bool any = of.count() > 0;
    for (const std::uint64_t ns : sums) cells->push_back(any ? Cell(ns) : Cell());
    for (const std::uint64_t ns : {of.trimmed_mean(kTrim), of.min(), of.quantile(0.5), of.quantile(0.9),
                                   of.quantile(0.95), of.quantile(0.99), of.quantile(0.999), of.max()}) {
      cells->push_back(any ? Cell(ns) : Cell());
    }
  }

  // Adds requested ones that are not columns yet. `of`: by row.
  void add_percentiles(const std::vector<const Histogram*>& of, Table* table) const {
    for (const double percent : percentiles_) {
      const std::string name = name_of_percentile(percent);
      if (table->column(name)) continue;
      const std::size_t place = *table->column("max");
      table->insert_column({name, CellKind::kDuration}, place);
      for (std::size_t row = 0; row < of.size(); ++row) {
        if (of[row]->count() > 0) table->set(row, place, of[row]->quantile(percent / 100));
      }
    }
  }

  Cell thread_of(const Spans::Open& open) const {
    return open.thread != Actor::kNone ? actor_cell(actors_, actors_.threads(), open.thread) : Cell();
  }

  // Spans in progress at the end.
  Table open_table(const std::vector<Spans::Open>& open, TimeRange range) const {
    Table table = new_table("spans", "open");
    std::size_t within = 0;  // those of the same thread and kind, after this one
    std::vector<bool> shown(open.size());
    for (std::size_t i = open.size(); i > 0; --i) {
      const Spans::Open& one = open[i - 1];
      const bool is_same = i < open.size() && open[i].thread == one.thread && open[i].kind == one.kind;
      within = is_same ? within + 1 : 0;
      shown[i - 1] = within < kOpenShown;
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (!shown[i]) continue;
      const Spans::Open& one = open[i];
      table.add({std::uint64_t{one.stream->id}, thread_of(one), word_of(one.kind), timeline_.names().text(one.name),
                 one.began_ns, length_of({one.began_ns, range.to_ns})});
    }
    return table;
  }

  Timeline& timeline_;
  const Actors& actors_;
  Spans::Options options_;
  std::vector<double> percentiles_;
  bool has_cost_;
  Spans spans_;
  SpanDoubts doubts_;
};

}  // namespace

std::unique_ptr<Analysis> make_spans(const AnalysisInput& input) { return std::make_unique<SpansAnalysis>(input); }

}  // namespace evt::report
