// Columns in which something holds for a whole row: events were lost, or the process was stopped.
#pragma once

#include <vector>

#include "scale.h"

namespace evt::view {

class Bands {
 public:
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
  };

  // What lasted no time has its column too.
  void add(const Scale& scale, std::int64_t from_ns, std::int64_t to_ns);
  void add(const Bands& other);
  std::vector<Run> runs() const;
  bool is_empty() const { return columns_.empty(); }

 private:
  void mark(std::uint32_t first, std::uint32_t end);

  std::vector<bool> columns_;
};

}  // namespace evt::view
