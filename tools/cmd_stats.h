// evt stats: statistics of traces.
#pragma once

namespace evt::tools {

struct StatsArguments;

// The exit status.
int run_stats(StatsArguments& options);

}  // namespace evt::tools
