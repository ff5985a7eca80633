// The rows of one session, which have one scale of time.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "libtrace-view/rows/shares.h"
#include "row_groups.h"
#include "scale.h"
#include "track.h"

namespace evt::view {

struct Heading {
  std::string text;
  bool is_group = false;  // false: of a kind of rows
};

struct Panel {
  std::string heading;  // shown if there are several
  Scale scale;
  std::vector<Track> tracks;
  std::vector<RowGroup> groups{};

  // What stands above a track: the title of its group and of its kind, where these begin. A group begins with threads
  // without that of their kind, and so does a panel of one kind of rows.
  std::vector<Heading> headings_above(std::size_t track) const;
  // Whether the row is that of the only thread of a process.
  bool is_whole_process(std::size_t track) const;
};

// What is in rows, for legends.
struct Contents {
  struct SpanName {
    std::string name;
    Key hue = 0;
  };

  std::set<RowState> states;
  std::vector<SpanName> spans;   // that rows have names of, those with the most room first: some
  bool has_other_spans = false;  // of other colours
  bool has_uncertain = false;
  bool has_stopped = false;
  bool has_lost = false;

  explicit Contents(const std::vector<Panel>& panels);
  bool has(RowState state) const { return states.contains(state); }
};

}  // namespace evt::view
