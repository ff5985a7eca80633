#include "stats/help.h"

#include <fmt/core.h>

#include "stats/analysis.h"

namespace evt::tools {
namespace {

constexpr const char* kText =
    R"(
Of spans, quantiles and trimmed means are right to 0.4 % (1/256). A trimmed mean is without the shortest and
the longest hundredth; nothing is left out of sums.

--event and --where leave out events before any analysis sees them, but for losses: a span, a call or the run of a
thread is measured if both its ends are left in. Of the summary they choose the events and types that are counted; its
streams, losses and clocks are those of the trace. evt dump --help says what --where takes.

evt stats diff [ANALYSIS...] BEFORE AFTER lists what is otherwise in the second trace, column by column, and what
only one of them has. Rows belong together by the names of threads, cpus and streams if those are unique, else by
their numbers. --sort % and --top are of that list. A trace with the name of an analysis is ./cpu.

Examples: evt stats app.evt
          evt stats cpu --at 1.5 --by thread,cpu app.evt
          evt stats usage --by object --limit disk=100M/s app.evt
          evt stats threads,gc --json app.eventlog | jq .
          evt stats diff spans --sort % --top 20 before.evt after.evt
          evt stats diff gc,spans --fail-above 10 before.evt after.evt

An option that is of some analyses is refused where none of them is asked for.

Exit status: 0 all was read; 1 the trace is damaged or cut, the rest was counted, or a filter or --limit
names nothing that is there, or a time is outside, or more changed than --fail-above allows, or there are
more threads or cpus than are followed, or too little memory is allowed for what is counted; 2 wrong usage;
3 a trace could not be read, or the output not written.)";

}  // namespace

std::string stats_footer() {
  std::string text = "Analyses:\n  summary   what the trace says of itself: the default, from the index alone\n";
  for (const AnalysisKind& kind : analysis_kinds()) text += fmt::format("  {:<9} {}\n", kind.name, kind.what);
  return text + kText;
}

}  // namespace evt::tools
