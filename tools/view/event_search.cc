#include "event_search.h"

#include <evt/export/value_text.h>

#include <algorithm>
#include <memory>

#include "event_rows.h"
#include "json_object.h"
#include "where/where_filter.h"

namespace evt::tools {
namespace {

using view::SessionTiles;

std::string text_of(const Event& event) {
  std::string text = event.type().name();
  FieldWalker values = event.values();
  for (const Field& field : event.type().fields()) {
    const std::optional<Value> value = values.next();
    if (value) text += fmt::format(" {}={}", field.name, value_text(event, *value));
  }
  return text;
}

std::string json_of(const Event& event) {
  return text_from([&](TextBuffer& out) {
    JsonObject json(out);
    json.name_text("ns", std::to_string(event.ns()));
    json.name_text("stream", event.stream().name);
    json.name_text("type", event.type().name());
    json.name_text("text", text_of(event));
    FieldWalker values = event.values();
    json.list("fields", event.type().fields(), [&](const Field& field) {
      const std::optional<Value> value = values.next();
      JsonObject each(out);
      each.name_text("name", field.name);
      each.name_text("value", value ? value_text(event, *value) : "");
      each.end();
    });
    json.null("span");
    json.end();
  });
}

bool is_condition(const std::string& query) { return query.find_first_of("=<>~") != std::string::npos; }

}  // namespace

// What is before is known only behind it: its place is found first.
void EventSearch::find(const std::function<IsWanted()>& is_wanted, std::int64_t ns, FindEvent find,
                       const std::function<void(const Event&)>& f) {
  std::optional<std::uint64_t> found;
  std::uint64_t place = 0;
  IsWanted wanted = is_wanted();
  const bool is_next = find == FindEvent::kNext;
  tiles_->each_item(is_next ? INT64_MAX : ns, [&](Timeline& timeline, const TimelineItem& item) {
    const bool is_it = wanted(timeline, item) && (is_next ? item.ns > ns : find == FindEvent::kAt || item.ns < ns);
    if (is_it) found = place;
    ++place;
    return !(is_it && is_next);
  });
  if (!found) return;
  place = 0;
  tiles_->each_item(INT64_MAX, [&](Timeline&, const TimelineItem& item) {
    if (place == *found) f(*item.event->event);
    return place++ < *found;
  });
}

std::string EventSearch::on_row(std::uint32_t row, std::int64_t ns, FindEvent find) {
  const SessionTiles::Layout& layout = tiles_->layout();
  std::string event = "null";
  if (layout.row(row) == nullptr) return event;
  const EventRows rows(layout);
  const auto is_wanted = [&] {
    auto pass = std::make_shared<std::optional<EventRows::Pass>>();
    return [&, pass](Timeline& timeline, const TimelineItem& item) {
      if (!*pass) pass->emplace(rows, timeline);
      const std::vector<std::uint32_t>& groups = (*pass)->take(timeline, item);
      return std::find(groups.begin(), groups.end(), rows.group_of(row)) != groups.end();
    };
  };
  this->find(is_wanted, ns, find, [&](const Event& each) { event = json_of(each); });
  return event;
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
  const auto is_wanted = [&] {
    return [&](Timeline&, const TimelineItem& item) {
      if (!is_event(item)) return false;
      const Event& event = *item.event->event;
      return condition.empty() ? text_of(event).find(query) != std::string::npos : condition.holds_for(event);
    };
  };
  this->find(is_wanted, ns, find, [&](const Event& event) {
    found.event = json_of(event);
    const EventRows rows(tiles_->layout());
    const auto stream = static_cast<std::size_t>(&event.stream() - tiles_->session().streams.data());
    const std::uint32_t row = rows.row_of_stream(stream);
    if (row != EventRows::kNone) found.row = row;
  });
  return found;
}

}  // namespace evt::tools
