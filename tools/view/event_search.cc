#include "event_search.h"

#include <algorithm>

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
    each.name_text("from", std::to_string(span->from_ns));
    each.name_text("to", std::to_string(span->to_ns));
    each.name_text("self", std::to_string(span->self_ns));
    each.yes("open", span->is_open);
  });
}

std::string json_of(const EventFacts& facts, const std::optional<EnclosingSpan::Found>& span) {
  return text_from([&](TextBuffer& out) {
    JsonObject json(out);
    facts.add_members(json);
    facts.add_fields(json, out);
    add_span(json, span);
    json.end();
  });
}

bool is_condition(const std::string& query) { return query.find_first_of("=<>~") != std::string::npos; }

}  // namespace

// What is before is known only behind it: its place is found first.
std::optional<std::uint64_t> EventSearch::place_of(IsWanted is_wanted, std::int64_t ns, FindEvent find) {
  std::optional<std::uint64_t> found;
  std::uint64_t place = 0;
  const bool is_next = find == FindEvent::kNext;
  tiles_->each_item(is_next ? INT64_MAX : ns, [&](Timeline& timeline, const TimelineItem& item) {
    const bool is_it = is_wanted(timeline, item) && (is_next ? item.ns > ns : find == FindEvent::kAt || item.ns < ns);
    if (is_it) found = place;
    if (is_shown_event(item)) ++place;
    return !(is_it && is_next) && patience_.lasts();
  });
  return found;
}

EventSearch::Located EventSearch::located(std::uint64_t place) {
  std::optional<EventFacts> facts;
  std::optional<EnclosingSpan> span;
  Located located;
  std::uint64_t number = 0;
  tiles_->each_item(INT64_MAX, [&](Timeline& timeline, const TimelineItem& item) {
    if (!span) span.emplace(timeline);
    if (is_shown_event(item) && number++ == place) {
      facts.emplace(*item.event->event);
      located.stream = static_cast<std::size_t>(item.stream - timeline.actors().session().streams.data());
      span->expect_event();
    }
    span->take(item);
    return !span->is_done() && patience_.lasts();
  });
  if (facts) located.event = json_of(*facts, span->found());
  return located;
}

std::string EventSearch::on_row(std::uint32_t row, std::int64_t ns, FindEvent find) {
  const SessionTiles::Layout& layout = tiles_->layout();
  if (layout.row(row) == nullptr) return "null";
  const EventRows rows(layout);
  std::optional<EventRows::Pass> pass;
  const auto is_wanted = [&](Timeline& timeline, const TimelineItem& item) {
    if (!pass) pass.emplace(rows, timeline);
    const std::vector<std::uint32_t>& groups = pass->take(timeline, item);
    return std::find(groups.begin(), groups.end(), rows.group_of(row)) != groups.end();
  };
  const std::optional<std::uint64_t> place = place_of(is_wanted, ns, find);
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
  const std::optional<std::uint64_t> place = place_of(is_wanted, ns, find);
  if (!place) return found;
  const Located event = located(*place);
  found.event = event.event;
  const std::uint32_t row = EventRows(tiles_->layout()).row_of_stream(event.stream);
  if (row != EventRows::kNone) found.row = row;
  return found;
}

}  // namespace evt::tools
