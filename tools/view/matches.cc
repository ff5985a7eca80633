#include "matches.h"

#include <algorithm>
#include <map>

#include "event_facts.h"

namespace evt::tools {

Query::Query(Trace& trace, std::string text) : text_(std::move(text)) {
  if (text_.find_first_of("=<>~") == std::string::npos) return;
  Status status = condition_.add(text_);
  if (status.ok()) status = condition_.resolve({&trace}, [](const EventType&) { return true; });
  if (status.ok()) condition_.look_at(trace);
  error_ = status.message();
}

bool Query::holds_for(const TimelineItem& item) const {
  const Event& event = *item.event->event;
  return condition_.empty() ? shown_text(event).find(text_) != std::string::npos : condition_.holds_for(event);
}

Matches::Matches(view::SessionTiles& tiles, const Query& query, Patience& patience) {
  const EventRows rows(tiles.layout());
  std::optional<EventRows::Pass> pass;
  bool is_met = false;  // the latest event matches: what it means may show a better row
  const auto take = [&](Timeline& timeline, const TimelineItem& item) {
    if (!pass) pass.emplace(rows, timeline, nullptr);
    pass->take(timeline, item);
    if (is_shown_event(item)) {
      is_met = query.holds_for(item);
      if (is_met && all_.size() == kMost) return false;
      const bool is_tie = is_met && !all_.empty() && all_.back().ns == item.ns;
      if (is_met) all_.push_back({item.ns, is_tie ? all_.back().nth + 1 : 0, EventRows::kNone});
    }
    if (is_met) all_.back().row = pass->row();
    return patience.lasts();
  };
  tiles.each_item(INT64_MAX, take);
}

std::size_t Matches::place(std::int64_t ns, FindEvent find) const {
  const auto after = find == FindEvent::kPrevious
                         ? std::lower_bound(all_.begin(), all_.end(), ns,
                                            [](const Match& match, std::int64_t at) { return match.ns < at; })
                         : std::upper_bound(all_.begin(), all_.end(), ns,
                                            [](std::int64_t at, const Match& match) { return at < match.ns; });
  const auto count = static_cast<std::size_t>(after - all_.begin());
  if (find == FindEvent::kNext) return count % all_.size();
  return (count + all_.size() - 1) % all_.size();
}

std::string Matches::in(TimeRange range, std::int64_t step_ns) const {
  std::map<std::uint32_t, std::int64_t> latest;  // by rows
  std::vector<Match> seen;
  for (const Match& match : all_) {
    if (match.ns < range.from_ns || match.ns > range.to_ns || match.row == EventRows::kNone) continue;
    const auto [before, is_first] = latest.emplace(match.row, match.ns);
    if (!is_first && match.ns - before->second < step_ns) continue;
    before->second = match.ns;
    seen.push_back(match);
  }
  return json_text([&](JsonObject& json) {
    json.list("ns", seen, [](TextBuffer& out, const Match& match) { append_json_text(out, std::to_string(match.ns)); });
    json.list("rows", seen, [](TextBuffer& out, const Match& match) { out += std::to_string(match.row); });
  });
}

}  // namespace evt::tools
