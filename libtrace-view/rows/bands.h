// Columns in which something holds for a whole row: events were lost, or the process was stopped.
#pragma once

#include <cstddef>
#include <vector>

#include "zoom.h"

namespace evt::view {

class Bands {
 public:
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };

  // What lasted no time has its column too.
  void add(const Scale& scale, std::int64_t from_ns, std::int64_t to_ns);
  void add(const Bands& other);
  // In columns twice as wide.
  void coarsen();
  // In the columns of zoom.as().
  Bands seen(const Zoom& zoom) const;
  // In order, and none beside another.
  const std::vector<Run>& runs() const { return runs_; }
  bool is_empty() const { return runs_.empty(); }
  std::size_t size() const { return runs_.size(); }

 private:
  void mark(Run run);

  std::vector<Run> runs_;
};

}  // namespace evt::view
