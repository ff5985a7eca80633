// Events of a timeline as the page of evt view shows them.
#pragma once

#include <evt/timeline.h>

#include <string>
#include <vector>

#include "base/json_object.h"

namespace evt::tools {

// The item is an event, or a loss that the trace records: neither something that an event means nor a step of time.
bool is_shown_event(const TimelineItem& item);

// Its type and its fields: `run thread=7 cpu=0`.
std::string shown_text(const Event& event);

// What is kept of an event when the next one is read.
class EventFacts {
 public:
  explicit EventFacts(const Event& event);

  // ns, stream, type and text.
  void add_members(JsonObject& json) const;
  // Each with its name and its value.
  void add_fields(JsonObject& json) const;

 private:
  struct Field {
    std::string name;
    std::string value;
  };

  std::int64_t ns_;
  std::string stream_;
  std::string type_;
  std::string text_;
  std::vector<Field> fields_;
};

}  // namespace evt::tools
