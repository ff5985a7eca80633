// All spans and calls of a session, row by row, for a page that has no server to ask for them.
#pragma once

#include <evt/open_stack.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/json_object.h"
#include "event_rows.h"
#include "self_times.h"
#include "texts.h"

namespace evt::tools {

// Takes the items of one session in order. Refers to the rows and the timeline.
class SpanLists {
 public:
  SpanLists(const EventRows& rows, Timeline& timeline) : rows_(&rows), selves_(timeline), lists_(rows.groups()) {}

  // `group`: that of the row where the item begins or ends a span. `events`: how many there were so far.
  // `object`: what the call is about that it begins.
  void take(Timeline& timeline, const TimelineItem& item, std::uint32_t group, std::uint64_t events,
            const std::string& object);
  // What session_events_json() has of them.
  void add_members(JsonObject& json) const;

 private:
  struct Span {
    std::int64_t from_ns = 0;
    std::int64_t length_ns = 0;
    std::uint64_t self_ns = 0;
    std::uint64_t event = 0;
    std::size_t name = 0;
    std::size_t thread = 0;
    std::size_t object = 0;
    bool is_open = false;
  };
  struct Open {
    std::uint32_t group = EventRows::kNone;
    std::size_t place = 0;
  };
  void begin(Timeline& timeline, const TimelineItem& item, std::uint32_t group, std::uint64_t events,
             const std::string& object);
  void end(const TimelineItem& item, std::uint64_t events);

  const EventRows* rows_;
  SelfTimes selves_;
  OpenStacks<Open> open_;
  std::vector<std::vector<Span>> lists_;  // by groups
  Texts names_;
  Texts threads_;
  Texts objects_;
};

}  // namespace evt::tools
