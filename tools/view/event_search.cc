#include "event_search.h"

#include <algorithm>

#include "async_of_event.h"
#include "enclosing_span.h"
#include "event_facts.h"
#include "event_rows.h"
#include "span_search.h"
#include "state_search.h"

namespace evt::tools {
namespace {

using view::SessionTiles;

void add_span(JsonObject& json, const std::optional<EnclosingSpan::Found>& span, const std::string& thread,
              const std::string& object) {
  if (!span) return json.null("span");
  json.object("span", [&](JsonObject& each) {
    each.name_text("name", span->name);
    each.digits("from", span->from_ns);
    each.digits("to", span->to_ns);
    each.digits("self", span->self_ns);
    each.yes("open", span->is_open);
    each.text("thread", thread);
    each.text("object", object);
    each.objects("around", span->around, [](JsonObject& one, const EnclosingSpan::Around& around) {
      one.name_text("name", around.name);
      one.digits("from", around.from_ns);
    });
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
                    const std::optional<AsyncOfEvent::Found>& async, const std::string& thread = "",
                    const std::string& object = "", const std::optional<StateStretch>& state = {}) {
  return json_text([&](JsonObject& json) {
    facts.add_members(json);
    facts.add_fields(json);
    add_span(json, span, thread, object);
    if (async) add_async(json, *async);
    if (state) json.object("state", [&](JsonObject& each) { state->add_members(each); });
  });
}

}  // namespace

// What is before is known only behind it: its place is found first. Backwards from mark to mark.
std::optional<EventSearch::Place> EventSearch::place_of(const Wanted& wanted, std::int64_t ns, FindEvent find) {
  const Mark* from = tiles_->mark_before(ns);
  if (find == FindEvent::kNext) return place_in(from, INT64_MAX, wanted, ns, find);
  for (std::int64_t to_ns = ns; patience_.lasts(); from = tiles_->mark_before(to_ns)) {
    if (const std::optional<Place> found = place_in(from, to_ns, wanted, ns, find); found || from == nullptr)
      return found;
    to_ns = from->timeline.ns();
  }
  return std::nullopt;
}

std::optional<EventSearch::Place> EventSearch::place_in(const Mark* from, std::int64_t to_ns, const Wanted& wanted,
                                                        std::int64_t ns, FindEvent find) {
  std::optional<Place> found;
  std::uint64_t events = 0;
  const IsWanted is_wanted = wanted(from);
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
std::string EventSearch::located(std::optional<Place> place, const std::optional<StateStretch>& state) {
  if (!place) return "null";
  const std::int64_t behind_ns = place->from != nullptr ? place->from->timeline.ns() : INT64_MIN;
  for (const Mark* from = place->from;;) {
    std::optional<EventFacts> facts;
    std::optional<EnclosingSpan> span;
    std::optional<AsyncOfEvent> async;
    std::uint64_t number = 0;
    const auto take = [&](Timeline& timeline, const TimelineItem& item) {
      if (!span && from != nullptr) span.emplace(timeline, from->rows->spans());
      if (!span) span.emplace(timeline);
      if (!async) async.emplace(timeline);
      const bool is_counted = is_shown_event(item) && (place->from == nullptr || item.ns > behind_ns);
      if (is_counted && number++ == place->number) {
        facts.emplace(*item.event->event);
        span->expect_event();
        async->expect_event();
      }
      span->take(item);
      async->take(item);
      return !(span->is_done() && async->is_done()) && patience_.lasts();
    };
    tiles_->each_item(INT64_MAX, take, from);
    if (!facts || !patience_.lasts()) return "null";
    const bool is_whole = from == nullptr || !span->found() || !span->found()->was_open;
    if (is_whole) return json_of(*facts, span->found(), async->found(), "", "", state);
    from = tiles_->mark_before(std::min(span->found()->from_ns, from->timeline.ns()));
  }
}

std::string EventSearch::on_row(std::uint32_t row, std::int64_t ns, FindEvent find) {
  const SessionTiles::Layout& layout = tiles_->layout();
  const SessionTiles::Row* const shown = layout.row(row);
  if (shown == nullptr) return "null";
  if (shown->kind == view::TrackKind::kSpan) {
    const std::optional<SpanSearch::Found> found = SpanSearch(*tiles_, patience_).on_row(row, ns, find);
    return found ? json_of(found->event, found->span, std::nullopt, found->thread, found->object) : "null";
  }
  const EventRows rows(layout);
  std::optional<EventRows::Pass> pass;
  const auto wanted = [&](const Mark* from) {
    pass.reset();
    return [&, from](Timeline& timeline, const TimelineItem& item) {
      if (!pass) pass.emplace(rows, timeline, from);
      const std::vector<std::uint32_t>& groups = pass->take(timeline, item);
      return std::find(groups.begin(), groups.end(), rows.group_of(row)) != groups.end();
    };
  };
  const bool is_of_states = shown->kind == view::TrackKind::kThread || shown->kind == view::TrackKind::kCpu;
  const bool has_state = is_of_states && find == FindEvent::kAt;
  const auto state = has_state ? StateSearch(*tiles_, patience_).on_row(row, ns) : std::nullopt;
  return located(place_of(wanted, ns, find), state);
}

std::string EventSearch::matching(const Query& query, const Match& match) {
  const auto wanted = [&](const Mark*) {
    return [&, nth = std::uint32_t{0}](Timeline&, const TimelineItem& item) mutable {
      const bool may_be = is_shown_event(item) && item.ns == match.ns && query.holds_for(item);
      return may_be && nth++ == match.nth;
    };
  };
  return located(place_in(tiles_->mark_before(match.ns), match.ns, wanted, match.ns, FindEvent::kAt));
}

}  // namespace evt::tools
