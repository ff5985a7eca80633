// What all threads and cpus of a session do, row by row, for a page that has no server to ask for it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json_object.h"
#include "state_stretches.h"
#include "texts.h"

namespace evt::tools {

// Takes the items of one session in order, each behind EventRows::Pass. Refers to the rows.
class StateLists {
 public:
  explicit StateLists(const EventRows& rows)
      : rows_(&rows), stretches_(rows, [this](const StateStretch& stretch) { add(stretch); }) {}
  StateLists(const StateLists&) = delete;
  StateLists& operator=(const StateLists&) = delete;

  void take(Timeline& timeline, const EventRows::Pass& pass, const TimelineItem& item) {
    stretches_.take(timeline, pass, item);
  }
  // What session_events_json() has of them.
  void add_members(JsonObject& json) const;

 private:
  struct List {
    std::string json;
    std::int64_t before_ns = 0;
  };

  void add(const StateStretch& stretch);

  const EventRows* rows_;
  StateStretches stretches_;
  std::map<std::uint32_t, List> lists_;  // by groups
  Texts texts_;
};

}  // namespace evt::tools
