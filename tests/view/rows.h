// The rows of a trace, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libtrace-view/rows/rows.h"
#include "support/text_trace.h"

namespace evt::testing {

inline bool all_rows(view::TrackKind, const std::string&) { return true; }

// The tracks of the first session of a trace in a range, and their groups if these are asked for.
inline std::vector<view::Track> tracks_of(Trace& trace, const view::Scale& scale,
                                          const view::Rows::Wanted& wanted = all_rows,
                                          std::vector<view::RowGroup>* groups = nullptr) {
  Timeline::Options options;
  options.range = [&](const Session&) { return TimeRange{scale.from_ns(), scale.to_ns()}; };
  Timeline timeline(trace, options);
  EXPECT_TRUE(timeline.next_session());
  view::Rows rows(timeline, scale);
  while (const TimelineItem* const item = timeline.next()) rows.take(*item);
  if (groups != nullptr) *groups = rows.groups();
  return rows.tracks(wanted, scale.to_ns());
}

// The same, of what a text describes.
inline std::vector<view::Track> tracks_of(const std::string& text, const view::Scale& scale) {
  const std::string bytes = trace_from_text(text);
  Trace trace = open_trace(bytes);
  return tracks_of(trace, scale);
}

}  // namespace evt::testing
