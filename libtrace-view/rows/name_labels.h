// Names of stretches of time in a row, of what is wide enough for one.
#pragma once

#include <evt/analysis/event_names.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "track.h"
#include "zoom.h"

namespace evt::view {

class NameLabels {
 public:
  // Nothing narrower has a name.
  static constexpr std::uint32_t kLeastColumns = 6;

  // `name` is one of EventNames.
  void add(const Scale& scale, std::uint32_t name, std::int64_t from_ns, std::int64_t to_ns);
  // In columns twice as wide.
  void coarsen();
  // Appends those that are wide enough in the columns of zoom.as().
  void show(const Zoom& zoom, const EventNames& names, std::vector<TrackLabel>* labels) const;
  std::size_t size() const { return labels_.size(); }

 private:
  struct Label {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    std::uint32_t name = 0;
  };

  std::vector<Label> labels_;
};

}  // namespace evt::view
