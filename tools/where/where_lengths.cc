#include "where_lengths.h"

#include <evt/open_stack.h>
#include <evt/timeline.h>

#include <map>
#include <tuple>

#include "where_value.h"

namespace evt::tools {
namespace {

// Hands out each begin and end with how long they are apart.
class Ends {
 public:
  using Place = WhereEvents::Place;

  // Whether the item ends something by an event.
  bool take(const TimelineItem& item) {
    if (item.kind == ItemKind::kBegan) open_.begin(item) = place_of(item);
    if (item.kind == ItemKind::kAsyncBegan) async_[key_of(item)] = place_of(item);
    if (item.kind != ItemKind::kEnded && item.kind != ItemKind::kAsyncEnded) return false;
    begin_ = item.kind == ItemKind::kEnded ? open_.end(item) : taken(key_of(item));
    end_ = place_of(item);
    return !item.is_open;
  }
  const Place& begin() const { return begin_; }
  const Place& end() const { return end_; }

 private:
  using Key = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::int64_t>;

  static Place place_of(const TimelineItem& item) {
    if (item.event == nullptr || item.event->event == nullptr) return {};
    return {&item.event->event->stream(), item.event->event->ordinal()};
  }
  static Key key_of(const TimelineItem& item) { return {item.part, item.value, item.name, item.began_ns}; }
  Place taken(const Key& key) {
    const auto node = async_.extract(key);
    return node.empty() ? Place() : node.mapped();
  }

  OpenStacks<Place> open_;
  std::map<Key, Place> async_;  // that are open
  Place begin_;
  Place end_;
};

}  // namespace

bool WhereEvents::has(const Event& event) const {
  const auto of_stream = sets_.find(&event.stream());
  if (of_stream == sets_.end()) return false;
  const auto found = of_stream->second.find(event.ordinal() / kBits);
  return found != of_stream->second.end() && found->second.test(event.ordinal() % kBits);
}

void WhereLengths::look_at(Trace& trace, const std::vector<const WhereComparison*>& comparisons) {
  std::vector<WhereRange> ranges;
  for (const WhereComparison* const each : comparisons) ranges.push_back(*bind_where_length(*each).range);
  Timeline timeline(trace, {});
  timeline.hand_out({ItemKind::kBegan, ItemKind::kEnded, ItemKind::kAsyncBegan, ItemKind::kAsyncEnded});
  while (timeline.next_session()) {
    OfSession& of_session = found_[&timeline.actors().session()];
    for (const WhereComparison* const each : comparisons) of_session[each] = std::make_shared<WhereEvents>();
    Ends ends;
    while (const TimelineItem* const item = timeline.next()) {
      if (!ends.take(*item)) continue;
      for (std::size_t i = 0; i < comparisons.size(); ++i) {
        if (!ranges[i].contains(WhereRange::key(item->ended_ns - item->began_ns))) continue;
        for (const WhereEvents::Place& place : {ends.begin(), ends.end()}) {
          if (place.stream != nullptr) of_session[comparisons[i]]->add(place);
        }
      }
    }
  }
}

std::shared_ptr<const WhereEvents> WhereLengths::of(const Session& session, const WhereComparison& comparison) const {
  const auto of_session = found_.find(&session);
  if (of_session == found_.end()) return nullptr;
  const auto found = of_session->second.find(&comparison);
  return found != of_session->second.end() ? found->second : nullptr;
}

}  // namespace evt::tools
