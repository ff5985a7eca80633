// What the slowest spans of a name have that those of median length do not.
#pragma once

#include <evt/trace.h>

#include <string>
#include <vector>

#include "why/why_groups.h"
#include "why/why_names.h"

namespace evt::tools {

struct SlowSpans {
  std::uint64_t count = 0;  // all of them
  std::uint64_t slow = 0;
  std::uint64_t median = 0;
  std::int64_t slow_ns = 0;  // mean lengths
  std::int64_t median_ns = 0;
  Table differences{"", 0, {}};
  bool has_runs = false;
  Status status;
};

// Of the session that the timeline is at, whose items it takes. `lengths`: of the spans that are asked for, as a search
// found them. REQUIRES: two at least.
SlowSpans compare_slow_spans(Timeline& timeline, const WhyAsked& asked, std::vector<std::uint64_t> lengths,
                             WhyTable::Form form);

}  // namespace evt::tools
