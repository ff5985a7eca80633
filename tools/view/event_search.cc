#include "event_search.h"

#include <algorithm>

#include "async_of_event.h"
#include "enclosing_span.h"
#include "event_facts.h"
#include "event_rows.h"
#include "where/where_filter.h"

namespace evt::tools {
namespace {

using view::SessionTiles;

void add_span(JsonObject& json, const std::optional<EnclosingSpan::Found>& span) {
  if (!span) return json.null("span");
  json.object("span", [&](JsonObject& each) {
    each.name_text("name", span->name);
    each.digits("from", span->from_ns);
    each.digits("to", span->to_ns);
    each.digits("self", span->self_ns);
    each.yes("open", span->is_open);
  });
}

void add_async(JsonObject& json, const AsyncOfEvent::Found& async) {
  json.object("async", [&](JsonObject& each) {
    each.name_text("name", async.name);
    each.digits("id", async.id);
    each.name_text("stream", async.stream);
    each.digits("from", async.from_ns);
    each.digits("to", async.to_ns);
    each.yes("open", async.is_open);
  });
}

std::string json_of(const EventFacts& facts, const std::optional<EnclosingSpan::Found>& span,
                    const std::optional<AsyncOfEvent::Found>& async) {
  return json_text([&](JsonObject& json) {
    facts.add_members(json);
    facts.add_fields(json);
    add_span(json, span);
    if (async) add_async(json, *async);
  });
}

bool is_condition(const std::string& query) { return query.find_first_of("=<>~") != std::string::npos; }

}  // namespace

// What is before is known only behind it: its place is found first. Backwards from mark to mark.
std::optional<EventSearch::Place> EventSearch::place_of(const Query& query, std::int64_t ns, FindEvent find) {
  const Mark* from = tiles_->mark_before(ns);
  if (find == FindEvent::kNext) return place_in(from, INT64_MAX, query, ns, find);
  for (std::int64_t to_ns = ns; patience_.lasts(); from = tiles_->mark_before(to_ns)) {
    if (const std::optional<Place> found = place_in(from, to_ns, query, ns, find); found || from == nullptr)
      return found;
    to_ns = from->timeline.ns();
  }
  return std::nullopt;
}

std::optional<EventSearch::Place> EventSearch::place_in(const Mark* from, std::int64_t to_ns, const Query& query,
                                                        std::int64_t ns, FindEvent find) {
  std::optional<Place> found;
  std::uint64_t events = 0;
  const IsWanted is_wanted = query(from);
  const bool is_next = find == FindEvent::kNext;
  const auto take = [&](Timeline& timeline, const TimelineItem& item) {
    if (is_shown_event(item)) ++events;
    const bool is_it =
        is_wanted(timeline, item) && events > 0 && (is_next ? item.ns > ns : find == FindEvent::kAt || item.ns < ns);
    if (is_it) found = {from, events - 1};
    return !(is_it && is_next) && patience_.lasts();
  };
  tiles_->each_item(to_ns, take, from);
  return found;
}

// A span that was open at the mark is read again from before its begin, of which its self time is.
EventSearch::Located EventSearch::located(Place place) {
  Located located;
  const std::int64_t behind_ns = place.from != nullptr ? place.from->timeline.ns() : INT64_MIN;
  const Mark* from = place.from;
  for (bool is_whole = false; !is_whole && patience_.lasts();) {
    std::optional<EventFacts> facts;
    std::optional<EnclosingSpan> span;
    std::optional<AsyncOfEvent> async;
    std::uint64_t number = 0;
    const auto take = [&](Timeline& timeline, const TimelineItem& item) {
      if (!span && from != nullptr) span.emplace(timeline, from->rows->spans());
      if (!span) span.emplace(timeline);
      if (!async) async.emplace(timeline);
      const bool is_counted = is_shown_event(item) && (place.from == nullptr || item.ns > behind_ns);
      if (is_counted && number++ == place.number) {
        facts.emplace(*item.event->event);
        located.stream = static_cast<std::size_t>(item.stream - timeline.actors().session().streams.data());
        span->expect_event();
        async->expect_event();
      }
      span->take(item);
      async->take(item);
      return !(span->is_done() && async->is_done()) && patience_.lasts();
    };
    tiles_->each_item(INT64_MAX, take, from);
    if (!facts) return located;
    is_whole = from == nullptr || !span->found() || !span->found()->was_open;
    if (is_whole) {
      located.event = json_of(*facts, span->found(), async->found());
    } else {
      from = tiles_->mark_before(std::min(span->found()->from_ns, from->timeline.ns()));
    }
  }
  return located;
}

std::string EventSearch::on_row(std::uint32_t row, std::int64_t ns, FindEvent find) {
  const SessionTiles::Layout& layout = tiles_->layout();
  if (layout.row(row) == nullptr) return "null";
  const EventRows rows(layout);
  std::optional<EventRows::Pass> pass;
  const auto query = [&](const Mark* from) {
    pass.reset();
    return [&, from](Timeline& timeline, const TimelineItem& item) {
      if (!pass) pass.emplace(rows, timeline, from);
      const std::vector<std::uint32_t>& groups = pass->take(timeline, item);
      return std::find(groups.begin(), groups.end(), rows.group_of(row)) != groups.end();
    };
  };
  const std::optional<Place> place = place_of(query, ns, find);
  return place ? located(*place).event : "null";
}

EventSearch::Found EventSearch::matching(const Trace& trace, const std::string& query, std::int64_t ns,
                                         FindEvent find) {
  Found found{"null", {}, {}};
  WhereFilter condition;
  if (is_condition(query)) {
    Status status = condition.add(query);
    if (status.ok()) status = condition.resolve({&trace}, [](const EventType&) { return true; });
    if (!status.ok()) {
      found.error = status.message();
      return found;
    }
  }
  const auto is_wanted = [&](Timeline&, const TimelineItem& item) {
    if (!is_shown_event(item)) return false;
    const Event& event = *item.event->event;
    return condition.empty() ? shown_text(event).find(query) != std::string::npos : condition.holds_for(event);
  };
  const std::optional<Place> place = place_of([&](const Mark*) { return is_wanted; }, ns, find);
  if (!place) return found;
  const Located event = located(*place);
  found.event = event.event;
  const std::uint32_t row = EventRows(tiles_->layout()).row_of_stream(event.stream);
  if (row != EventRows::kNone) found.row = row;
  return found;
}

}  // namespace evt::tools
