#include "span_instances.h"

#include <algorithm>
#include <numeric>

#include "actor_cell.h"

namespace evt::report {
namespace {

// Of what began before the range, both count from there on.
void add_place(const Spans::Place& place, const Actors& actors, std::int64_t from_ns, Table::Row* cells) {
  cells->push_back(place.ns);
  cells->push_back(std::max(place.began_ns, from_ns));
  cells->push_back(std::uint64_t{place.stream->id});
  cells->push_back(place.thread != Actor::kNone ? actor_cell(actors, actors.threads(), place.thread) : Cell());
}

// The order in which a table of lengths has them.
std::vector<std::size_t> by_self_time(const std::vector<Spans::Row>& rows, const EventNames& names) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (rows[a].self_ns != rows[b].self_ns) return rows[a].self_ns > rows[b].self_ns;
    return names.text(rows[a].name) < names.text(rows[b].name);
  });
  return order;
}

}  // namespace

const char* word_of(SpanKind kind) {
  if (kind == SpanKind::kAsync) return "async";
  return kind == SpanKind::kSpan ? "span" : "call";
}

Table extremes_table(Timeline& timeline, const Spans& spans, std::int64_t from_ns) {
  Table table = new_table("spans", "extremes");
  for (const SpanKind kind : {SpanKind::kSpan, SpanKind::kCall, SpanKind::kAsync}) {
    const std::vector<Spans::Row>& rows = spans.rows(kind);
    for (const std::size_t i : by_self_time(rows, timeline.names())) {
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
    table.add(std::move(cells));
  }
  table.hide_if_empty("thread name");
  table.set_of_single_things();
  return table;
}

}  // namespace evt::report
