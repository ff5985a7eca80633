// What stands above the rows of a picture.
#pragma once

#include <string>
#include <vector>

#include "libtrace-view/rows/panel.h"

namespace evt::view {

struct Heading {
  std::string text;
  bool is_group = false;  // false: of a kind of rows
};

// Above a track of the panel: the title of its group and of its kind, where these begin. A group begins with threads
// without that of their kind, and so does a panel of one kind of rows.
std::vector<Heading> headings_above(const Panel& panel, std::size_t track);
// Whether the track is that of the only thread of a process.
bool is_whole_process(const Panel& panel, std::size_t track);
// Then that row has the title of the process, and what the thread is called if that is something else: of a program
// that records no calls the system knows the name alone.
std::string process_name(const RowGroup& process, const Track& thread);

}  // namespace evt::view
