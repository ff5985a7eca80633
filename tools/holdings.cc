#include "holdings.h"

#include <evt/saturating_add.h>
#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

namespace evt::tools {

Holdings::Holdings(Trace& trace) {
  std::unordered_map<const Session*, std::size_t> numbers;
  for (const Session& session : trace.sessions()) numbers.emplace(&session, numbers.size());
  EventOptions wanted;
  wanted.markers = true;
  Events events = trace.events(wanted);
  while (const Event* const event = events.next()) {
    Held& held = streams_[{numbers.at(&event->session()), event->stream().id}];
    if (event->is_jump()) continue;
    if (!event->is_lost()) {
      ++held.events;
      continue;
    }
    const auto cause = event->value("cause");
    const auto count = event->value("count");
    const std::uint64_t number = cause ? cause->as_unsigned() : 0;
    saturating_add(&held.lost[number < EVT_LOST_CAUSES ? static_cast<std::size_t>(number) : 0],
                   count ? count->as_unsigned() : 0);
  }
  // By now reading has found all that is missing.
  for (const Session& session : trace.sessions()) {
    Held& whole = streams_[{numbers.at(&session), 0}];
    whole.rows += session.rows;
    whole.missing += session.missing;
    for (const StreamInfo& stream : session.streams) {
      Held& held = streams_[{numbers.at(&session), stream.id}];
      held.rows += stream.rows;
      held.missing += stream.missing;
    }
  }
}

std::string Holdings::Held::text() const {
  std::uint64_t all_lost = 0;
  for (const std::uint64_t count : lost) saturating_add(&all_lost, count);
  return fmt::format("{} events in {} rows, {} lost and {} missing", events, rows, all_lost, missing);
}

std::string Holdings::difference(const Holdings& later) const {
  static const Held kNothing;
  const auto in = [](const Holdings& holdings, const Stream& stream) -> const Held& {
    const auto found = holdings.streams_.find(stream);
    return found == holdings.streams_.end() ? kNothing : found->second;
  };
  // Streams before whole sessions.
  const auto differs = [&](const auto& entry) {
    return entry.first.second != 0 && in(*this, entry.first) != in(later, entry.first);
  };
  for (const auto* const side : {&streams_, &later.streams_}) {
    auto found = std::find_if(side->begin(), side->end(), differs);
    if (found == side->end()) {
      found = std::find_if(side->begin(), side->end(),
                           [&](const auto& entry) { return in(*this, entry.first) != in(later, entry.first); });
    }
    if (found == side->end()) continue;
    return fmt::format("{} of stream {} of session {}, and had {}", in(later, found->first).text(), found->first.second,
                       found->first.first + 1, in(*this, found->first).text());
  }
  return "";
}

}  // namespace evt::tools
