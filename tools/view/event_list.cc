#include "event_list.h"

#include <algorithm>
#include <vector>

#include "event_facts.h"

namespace evt::tools {
namespace {

// Of those behind a mark, or of all.
std::uint64_t count_before(view::SessionTiles& tiles, Patience& patience, std::int64_t ns,
                           const view::RowMarks::Mark* from) {
  std::uint64_t count = 0;
  const auto add = [&](Timeline&, const TimelineItem& item) {
    if (item.ns < ns && is_shown_event(item)) ++count;
    return item.ns < ns && patience.lasts();
  };
  tiles.each_item(ns, add, from);
  return count;
}

}  // namespace

// Which events are the last ones before `ns` is known only when all before it were read: they are counted first, and
// texts are made of those alone that are listed.
std::string events_around(view::SessionTiles& tiles, Patience patience, std::int64_t ns, std::size_t before,
                          std::size_t after) {
  const view::RowMarks::Mark* from = tiles.mark_before(ns);
  std::uint64_t count = count_before(tiles, patience, ns, from);
  while (count < before && from != nullptr && patience.lasts()) {
    from = tiles.mark_before(from->timeline.ns());
    count = count_before(tiles, patience, ns, from);
  }
  const std::uint64_t first = count - std::min<std::uint64_t>(count, before);
  const std::uint64_t end = count + after;
  std::vector<EventFacts> listed;
  bool is_last = true;
  std::uint64_t place = 0;
  const auto list = [&](Timeline&, const TimelineItem& item) {
    if (!is_shown_event(item)) return patience.lasts();
    is_last = place < end;
    if (place >= first && is_last) listed.emplace_back(*item.event->event);
    ++place;
    return is_last && patience.lasts();
  };
  tiles.each_item(INT64_MAX, list, from);
  return json_text([&](JsonObject& json) {
    json.objects("events", listed, [](JsonObject& each, const EventFacts& event) { event.add_members(each); });
    json.number("is_first", first == 0 && from == nullptr);
    json.number("is_last", is_last);
  });
}

}  // namespace evt::tools
